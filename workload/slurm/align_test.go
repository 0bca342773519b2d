package slurm

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSacctAlign checks that a record is parsed correctly whatever bars its texts contain, as long
// as its columns can be distinguished: each text is between two columns whose form no part of a
// text has.
func TestSacctAlign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := []string{"JobName", "SubmitLine", "Comment", "WorkDir", "Constraints"}
		fixed := map[string]string{"Submit": "2021-06-01T10:00:00", "State": "COMPLETED", "AllocTRES": "cpu=4,mem=8G", "ReqMem": "8Gc", "Elapsed": "01:00:00"}
		order := rapid.Permutation([]string{"Submit", "State", "AllocTRES", "ReqMem", "Elapsed"}).Draw(t, "order")
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab| \n.")), 0, 9, -1)
		columns, values := []string{"JobID"}, []string{"17"}
		for i, name := range order {
			columns, values = append(columns, texts[i], name), append(values, text.Draw(t, texts[i]), fixed[name])
		}
		l, err := readLayout("log", 1, strings.Join(columns, "|"), false)
		if err != nil {
			t.Fatal(err)
		}
		pieces := strings.Split(strings.Join(values, "|"), "|")
		from, ok := alignOf(l, strings.Join(pieces, "|"))
		if !ok {
			t.Fatal("not aligned")
		}
		for i, want := range values {
			if got := strings.Join(pieces[from[i]:from[i+1]], "|"); got != want {
				t.Errorf("%s: %q, want %q", columns[i], got, want)
			}
		}
	})
}

// TestSacctAlignChoice has bars that may belong to either of two columns.
func TestSacctAlignChoice(t *testing.T) {
	for _, c := range []struct {
		columns, record string
		column          int
		want            string
		ok              bool
	}{
		{"JobID|JobName|Comment|State", "1|a|b||CD", 1, "a|b", true}, // more likely in a name than in a comment
		{"JobID|JobName|SubmitLine|State", "1|a|b|c|CD", 1, "a|b", true},
		{"JobID|SubmitLine|State|Comment", "1|a|CD|b|CD|c", 1, "a|CD|b", true},
		{"JobID|User|State", "1|a|b|CD", 0, "", false},   // no column can contain it
		{"JobID|JobName|State", "1|a|b|c", 0, "", false}, // no state
	} {
		l, err := readLayout("log", 1, c.columns+"|Submit", false)
		if err != nil {
			t.Fatal(err)
		}
		pieces := strings.Split(c.record+"|", "|")
		from, ok := alignOf(l, strings.Join(pieces, "|"))
		if ok != c.ok {
			t.Errorf("%s by %s: aligned %v", c.record, c.columns, ok)
		} else if ok {
			if got := strings.Join(pieces[from[c.column]:from[c.column+1]], "|"); got != c.want {
				t.Errorf("%s by %s: %q, want %q", c.record, c.columns, got, c.want)
			}
		}
	}
}

// alignOf returns the first piece of each column of a record.
func alignOf(l *layout, record string) (from []int, ok bool) {
	c := cutter{layout: l}
	c.cut([]byte(record))
	ok = c.align([]byte(record))
	return c.from, ok
}
