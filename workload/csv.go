package workload

import (
	"maps"
	"math"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
)

// AppendCSVHeader appends the line of column names.
func AppendCSVHeader(dst []byte) []byte {
	for i, c := range columns {
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
	for i := range v.rows {
		for c := range columns {
			if v.nulls[c] && v.cols[c].IsNull(i) {
				// unknown
			} else if floats := v.floats[c]; floats != nil {
				if x := floats[i]; !math.IsNaN(x) {
					dst = appendNumber(dst, x)
				}
			} else {
				dst = appendWhole(dst, v.ints[c][i])
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
	for _, col := range slices.Sorted(maps.Keys(nameKeys)) {
		if n := int64(len(h.Names(nameKeys[col]))); n > 0 {
			losses = append(losses, Loss{columns[col].Name, "its numbers are written, without their names in the header", n})
			lines -= n
		}
	}
	if lines > 0 {
		losses = append(losses, Loss{"header", "the format has no header", lines})
	}
	return losses
}
