package workload

import "github.com/apache/arrow/go/v15/arrow"

// SWFLosses says what AppendSWF leaves out of a record: the known values of
// columns that the standard workload format has not, and values of -1, which
// the format takes for unknown.
func SWFLosses(rec arrow.Record) []Loss {
	v := NewView(rec)
	var losses []Loss
	for col := range NumColumns {
		var n int64
		why := "the format has no such field"
		if ColumnAt(col).SWF == 0 {
			n = int64(v.Len() - v.Nulls(col))
		} else {
			why = "-1 means unknown in the format"
			n = minusOnes(v, col)
		}
		if n > 0 {
			losses = append(losses, Loss{ColumnAt(col).Name, why, n})
		}
	}
	return losses
}

// minusOnes counts the known values of a column that are -1.
func minusOnes(v *View, col int) (n int64) {
	for i, x := range v.Floats(col) {
		if x == -1 && !v.IsNull(col, i) {
			n++
		}
	}
	for i, x := range v.Ints(col) {
		if x == -1 && !v.IsNull(col, i) {
			n++
		}
	}
	return n
}
