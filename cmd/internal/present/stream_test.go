package present

import (
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"testing"
)

type streamed struct {
	Schema string        `json:"schema"`
	Rows   []streamedRow `json:"rows"`
}

type streamedRow struct {
	N    int    `json:"n"`
	Name string `json:"name,omitempty"`
}

var streamedColumns = []Column[streamedRow]{
	Count("n", "number", func(r streamedRow) int { return r.N }),
	Text("name", "name", func(r streamedRow) string { return r.Name }),
	Text("twice", "", func(r streamedRow) string { return strconv.Itoa(2 * r.N) }),
}

// A stream has the bytes of a listing, in each form.
func TestStreamIsListing(t *testing.T) {
	rows := []streamedRow{{1, "a"}, {200, "=b <\x1b>"}, {-3, ""}, {4, "a longer \u200bname, \"quoted\""}}
	for _, form := range Forms() {
		var got, want strings.Builder
		if err := Listing(streamed{"x/1", rows}, streamedColumns, rows).Write(&want, form); err != nil {
			t.Fatal(err)
		}
		s := Stream[streamedRow]{JSON: streamed{Schema: "x/1"}, Columns: streamedColumns, Rows: slices.Values(rows)}
		if err := s.Write(&got, form); err != nil || got.String() != want.String() {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", form, err, got.String(), want.String())
		}
	}
}

// failing is a reader who has gone.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Rows are written as they are made: who stops to read stops the making.
func TestStreamStops(t *testing.T) {
	const n = 100_000
	for _, form := range Forms() {
		made := 0
		var rows iter.Seq[streamedRow] = func(yield func(streamedRow) bool) {
			for i := range n {
				if made++; !yield(streamedRow{i, "a name"}) {
					return
				}
			}
		}
		err := Stream[streamedRow]{JSON: streamed{}, Columns: streamedColumns, Rows: rows}.Write(failing{}, form)
		most := n / 2
		if form == "table" { // whose widths are of all rows
			most += n
		}
		if !errors.Is(err, io.ErrClosedPipe) || made > most {
			t.Errorf("%s: %v after %d rows", form, err, made)
		}
	}
}
