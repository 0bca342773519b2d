package slurm

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// sacctOutput is the columns of a batch that sacct can fill.
type sacctOutput struct {
	columns []int
	floats  [workload.NumColumns][]float64
	ints    [workload.NumColumns][]int64
}

// sacctOutputColumns are those columns, without the optional ones.
var sacctOutputColumns = []int{
	workload.ColJobID, workload.ColSubmitTime, workload.ColWaitTime, workload.ColRunTime, workload.ColAllocatedProcessors, workload.ColCPUTime, workload.ColUsedMemory,
	workload.ColRequestedProcessors, workload.ColRequestedTime, workload.ColRequestedMemory, workload.ColStatus, workload.ColUser, workload.ColGroup, workload.ColApplication,
	workload.ColQueue, workload.ColPartition,
}

// newSacctOutput makes room for those and for the optional ones that the log has.
func newSacctOutput(rows int, has workload.ColumnSet) *sacctOutput {
	o := &sacctOutput{columns: sacctOutputColumns}
	for col := workload.FirstOptional; col < workload.NumColumns; col++ {
		if has.Has(col) {
			o.columns = append(o.columns[:len(o.columns):len(o.columns)], col)
		}
	}
	for _, col := range o.columns {
		if workload.ColumnAt(col).Float() {
			o.floats[col] = make([]float64, rows)
		} else {
			o.ints[col] = make([]int64, rows)
		}
	}
	return o
}

// setInt and setFloat set a value of a column, if the log has the column.
func (o *sacctOutput) setInt(col, row int, n int64) {
	if values := o.ints[col]; values != nil {
		values[row] = n
	}
}

func (o *sacctOutput) setFloat(col, row int, x float64) {
	if values := o.floats[col]; values != nil {
		values[row] = x
	}
}

// takeMore sets the optional columns of a job.
func (t *sacctTable) takeMore(c *sacctOutput, i int, j *sacctJob) {
	if t.has == 0 {
		return
	}
	m := &j.sacctMore
	if t.asked && m.askedTRES && m.askedGPUs == workload.Unknown {
		m.askedGPUs = 0
	}
	if t.given && m.givenTRES && m.gpus == workload.Unknown {
		m.gpus = 0
	}
	if math.IsNaN(m.energy) {
		m.energy = j.stepPower
	}
	c.setInt(workload.ColRequestedNodes, i, m.askedNodes)
	c.setInt(workload.ColAllocatedNodes, i, m.nodes)
	c.setInt(workload.ColRequestedGPUs, i, m.askedGPUs)
	c.setInt(workload.ColAllocatedGPUs, i, m.gpus)
	c.setInt(workload.ColArray, i, m.array)
	c.setFloat(workload.ColRequestedMemoryTotal, i, m.memoryTotal)
	c.setFloat(workload.ColUsedMemoryTotal, i, j.stepMost)
	c.setFloat(workload.ColEnergy, i, m.energy)
	c.setFloat(workload.ColEligibleTime, i, m.eligible-t.start)
}

// record makes a batch of the columns and keeps nothing.
func (o *sacctOutput) record(rows int) workload.Batch {
	values := make([]workload.Values, 0, len(o.columns))
	for _, col := range o.columns {
		values = append(values, workload.Values{Column: col, Floats: o.floats[col], Ints: o.ints[col]})
	}
	return workload.RecordOf(rows, values...)
}
