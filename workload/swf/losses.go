package swf

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Losses says what Append leaves out of a record: the known values of
// columns that the standard workload format has not, and values of -1, which
// the format takes for unknown.
func Losses(rec workload.Batch) []workload.Loss {
	v := workload.NewView(rec)
	var losses []workload.Loss
	for col := range workload.NumColumns {
		var n int64
		why := "the format has no such field"
		if workload.ColumnAt(col).SWF == 0 {
			n = int64(v.Len() - v.Nulls(col))
		} else {
			why = "-1 means unknown in the format"
			n = parse.MinusOnes(v, col)
		}
		if n > 0 {
			losses = append(losses, workload.Loss{Column: workload.ColumnAt(col).Name, Why: why, Values: n})
		}
	}
	return losses
}
