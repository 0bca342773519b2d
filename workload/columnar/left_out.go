package columnar

import (
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// known returns the number of values of a column, from the footer. It is 0 if the footer's
// statistics say that every value is the same -1, or an empty text or list.
func (p *parquetReader) known(at int) (n int64) {
	empty := true
	for _, g := range p.meta.RowGroups {
		if at >= len(g.Columns) || g.Columns[at].MetaData == nil {
			continue
		}
		m := g.Columns[at].MetaData
		values := m.NumValues
		if s := m.Statistics; s != nil {
			if s.NullCount != nil {
				values -= *s.NullCount
			}
			low, high := s.MinValue, s.MaxValue
			if low == nil && high == nil {
				low, high = s.Min, s.Max
			}
			if low == nil || string(low) != string(high) || !slices.Contains(emptyValues[:], string(low)) {
				empty = empty && values <= 0
			}
		} else {
			empty = false
		}
		n += max(values, 0)
	}
	if empty {
		return 0
	}
	return n
}

// leftOut adds a warning for n values of a column that the job table does not have.
func leftOut(name string, n int64, w *workload.Warnings) {
	if n == 0 {
		return
	}
	// A list's values are below "list" and "item" or "element".
	name, _, _ = strings.Cut(name, ".")
	w.Count(workload.Warning{Rule: "left-out-" + strings.ToValidUTF8(name, "?"), Text: "values of a column that the job table does not have", Count: n, Saw: name})
}

// emptyValues are what converters of the archives write for unknown values: -1 in each
// numeric type, and empty texts.
var emptyValues = [...]string{
	"\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xff", // whole numbers
	"\x00\x00\x80\xbf", "\x00\x00\x00\x00\x00\x00\xf0\xbf", // -1.0
	"", " ", "{}", "[]",
}

// columnNames returns the paths of the file's columns.
func (p *parquetReader) columnNames() []string {
	names := make([]string, p.meta.Schema.NumColumns())
	for i := range names {
		names[i] = p.meta.Schema.Column(i).Path()
	}
	return names
}
