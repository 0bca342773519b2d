package swf

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Losses returns what Append loses of a batch: known values in columns that SWF does not
// have, and values of -1, which SWF reads as unknown.
func Losses(b *workload.Batch) []workload.Loss {
	return parse.Losses(b, func(col int) bool { return workload.ColumnAt(col).SWF != 0 })
}
