package workload

// sacctOutput is the columns of a batch that sacct can fill.
type sacctOutput struct {
	floats [NumColumns][]float64
	ints   [NumColumns][]int64
}

// sacctOutputColumns are those columns.
var sacctOutputColumns = [...]int{
	ColJobID, ColSubmitTime, ColWaitTime, ColRunTime, ColAllocatedProcessors, ColCPUTime, ColUsedMemory,
	ColRequestedProcessors, ColRequestedTime, ColRequestedMemory, ColStatus, ColUser, ColGroup, ColApplication,
	ColQueue, ColPartition,
}

func newSacctOutput(rows int) *sacctOutput {
	o := &sacctOutput{}
	for _, col := range sacctOutputColumns {
		if ColumnAt(col).Float() {
			o.floats[col] = make([]float64, rows)
		} else {
			o.ints[col] = make([]int64, rows)
		}
	}
	return o
}

// record makes a batch of the columns and keeps nothing.
func (o *sacctOutput) record(rows int) Batch {
	values := make([]Values, 0, len(sacctOutputColumns))
	for _, col := range sacctOutputColumns {
		values = append(values, Values{Column: col, Floats: o.floats[col], Ints: o.ints[col]})
	}
	return RecordOf(rows, values...)
}
