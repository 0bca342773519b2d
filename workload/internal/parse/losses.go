package parse

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// Losses says what a text format leaves out of a record: the known values of columns
// that it has not, and values of -1, which it takes for unknown.
func Losses(rec workload.Batch, has func(col int) bool) []workload.Loss {
	v := workload.NewView(rec)
	var losses []workload.Loss
	for col := range workload.NumColumns {
		why, n := "-1 means unknown in the format", int64(0)
		if has(col) {
			n = minusOnes(v, col)
		} else {
			why, n = "the format has no such field", int64(v.Len()-v.Nulls(col))
		}
		if n > 0 {
			losses = append(losses, workload.Loss{Column: workload.ColumnAt(col).Name, Why: why, Values: n})
		}
	}
	return losses
}

// minusOnes counts the known values of a column that are -1.
func minusOnes(v *workload.View, col int) (n int64) {
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
