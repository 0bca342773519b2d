package parse

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// Losses says what a text format leaves out of a batch: the known values of columns
// that it has not, and values of -1, which it takes for unknown.
func Losses(b *workload.Batch, has func(col int) bool) []workload.Loss {
	var losses []workload.Loss
	for col := range workload.NumColumns {
		why, n := "-1 means unknown in the format", int64(0)
		if has(col) {
			n = minusOnes(b, col)
		} else {
			why, n = "the format has no such field", int64(b.Known(col))
		}
		if n > 0 {
			losses = append(losses, workload.Loss{Column: workload.ColumnAt(col).Name, Why: why, Values: n})
		}
	}
	return losses
}

// minusOnes counts the known values of a column that are -1.
func minusOnes(b *workload.Batch, col int) (n int64) {
	for _, x := range b.Floats[col] {
		if x == -1 {
			n++
		}
	}
	for _, x := range b.Ints[col] {
		if x == -1 {
			n++
		}
	}
	return n
}
