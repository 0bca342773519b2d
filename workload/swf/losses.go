package swf

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Losses returns what Append leaves out of a record: the known values of
// columns that the standard workload format has not, and values of -1, which
// the format takes for unknown.
func Losses(rec workload.Batch) []workload.Loss {
	return parse.Losses(rec, func(col int) bool { return workload.ColumnAt(col).SWF != 0 })
}
