package workload

import "github.com/apache/arrow/go/v15/arrow"

// Loss is what a format cannot hold of a column.
type Loss struct {
	Column string
	Why    string
	Values int64
}

// SWFLosses says what AppendSWF leaves out of a record: the known values of
// columns that the standard workload format has not, and values of -1, which
// the format takes for unknown.
func SWFLosses(rec arrow.Record) []Loss {
	v := NewView(rec)
	var losses []Loss
	for col := range columns {
		var n int64
		why := "the format has no such field"
		if columns[col].SWF == 0 {
			n = int64(v.rows - v.cols[col].NullN())
		} else {
			why = "-1 means unknown in the format"
			n = v.minusOnes(col)
		}
		if n > 0 {
			losses = append(losses, Loss{columns[col].Name, why, n})
		}
	}
	return losses
}

func (v *View) minusOnes(col int) (n int64) {
	for i, x := range v.floats[col] {
		if x == -1 && !v.cols[col].IsNull(i) {
			n++
		}
	}
	for i, x := range v.ints[col] {
		if x == -1 && !v.cols[col].IsNull(i) {
			n++
		}
	}
	return n
}
