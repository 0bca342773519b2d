package slurm

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// sacctOutput is the columns of a batch that sacct can fill.
type sacctOutput struct {
	floats [workload.NumColumns][]float64
	ints   [workload.NumColumns][]int64
}

// sacctOutputColumns are those columns.
var sacctOutputColumns = [...]int{
	workload.ColJobID, workload.ColSubmitTime, workload.ColWaitTime, workload.ColRunTime, workload.ColAllocatedProcessors, workload.ColCPUTime, workload.ColUsedMemory,
	workload.ColRequestedProcessors, workload.ColRequestedTime, workload.ColRequestedMemory, workload.ColStatus, workload.ColUser, workload.ColGroup, workload.ColApplication,
	workload.ColQueue, workload.ColPartition,
}

func newSacctOutput(rows int) *sacctOutput {
	o := &sacctOutput{}
	for _, col := range sacctOutputColumns {
		if workload.ColumnAt(col).Float() {
			o.floats[col] = make([]float64, rows)
		} else {
			o.ints[col] = make([]int64, rows)
		}
	}
	return o
}

// record makes a batch of the columns and keeps nothing.
func (o *sacctOutput) record(rows int) workload.Batch {
	values := make([]workload.Values, 0, len(sacctOutputColumns))
	for _, col := range sacctOutputColumns {
		values = append(values, workload.Values{Column: col, Floats: o.floats[col], Ints: o.ints[col]})
	}
	return workload.RecordOf(rows, values...)
}
