package parse

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// MinusOnes counts the known values of a column that are -1.
func MinusOnes(v *workload.View, col int) (n int64) {
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
