package workload

import (
	"bufio"
	"io"
	"math"

	"github.com/apache/arrow/go/v15/arrow"
)

// csvFormat is a table of comma-separated values whose first line names its
// columns.
var csvFormat = Format{
	Name:       "csv",
	Extensions: []string{".csv"},
	Text:       true,
	Sniff: func(name string, r *bufio.Reader, _ Options) bool {
		head, _ := r.Peek(sniffed)
		return isCSV(name, head)
	},
	Open: func(name string, r *bufio.Reader, o Options) (*Log, error) { return openCSV(name, r, o) },
	Create: func(w io.Writer, _ Header, _ WriteOptions) (Writer, error) {
		return newTextWriter(w, AppendCSVHeader(nil), "", AppendCSV), nil
	},
	HeaderLast:   true, // there is none
	HeaderLosses: func(h Header) []Loss { return csvHeaderLosses(&h) },
}

// AppendCSVHeader appends the line of column names.
func AppendCSVHeader(dst []byte) []byte {
	for i, c := range Columns() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, c.Name...)
	}
	return append(dst, '\n')
}

// AppendCSV appends the jobs of a record as lines of comma-separated values:
// nothing for what is unknown, numbers in the shortest form that reads back as
// the same number. It may be called from several goroutines at once.
func AppendCSV(dst []byte, rec arrow.Record) []byte {
	v := NewView(rec)
	for i := range v.Len() {
		for c := range NumColumns {
			if v.IsNull(c, i) {
				// unknown
			} else if floats := v.Floats(c); floats != nil {
				if x := floats[i]; !math.IsNaN(x) {
					dst = appendNumber(dst, x)
				}
			} else {
				dst = appendWhole(dst, v.Ints(c)[i])
			}
			dst = append(dst, ',')
		}
		dst[len(dst)-1] = '\n'
	}
	return dst
}

// csvHeaderLosses says what of a header is lost: names apart, since the numbers
// that they explain stay.
func csvHeaderLosses(h *Header) []Loss {
	var losses []Loss
	lines := int64(len(h.Lines))
	for _, col := range NamedColumns() {
		if n := int64(len(h.Names(NameKey(col)))); n > 0 {
			losses = append(losses, Loss{ColumnAt(col).Name, "its numbers are written, without their names in the header", n})
			lines -= n
		}
	}
	if lines > 0 {
		losses = append(losses, Loss{"header", "the format has no header", lines})
	}
	return losses
}
