package traces

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// opendcLayout is the table of tasks of an OpenDC trace (tasks.parquet) in its
// versions 1 to 3, which are told apart by nothing but their Columns: numbers
// were texts at first, and names have changed. Times are milliseconds, those
// of submission from 1970; memory is KB for the whole task (TASK_MEM_CAPACITY
// in OpenDC's conventions), which the job table has per processor.
//
// A task's duration is its run time, its CPUs are processors asked for; there
// are no waits, which a simulation would give. Capacities in MHz, GPUs,
// deadlines and the tasks before and behind a task are left out and counted.
var opendcLayout = columnar.Mapping{
	Format:    "opendc",
	Title:     "an OpenDC trace",
	UnixTimes: true,
	Columns: []columnar.MappedColumn{
		{Name: "id", Column: workload.ColJobID, Unit: 1},
		{Name: "submission_time", Column: workload.ColSubmitTime, Unit: columnar.PerMilli},
		{Name: "submissionTime", Column: workload.ColSubmitTime, Unit: columnar.PerMilli},
		{Name: "start_time", Column: workload.ColSubmitTime, Unit: columnar.PerMilli},
		{Name: "duration", Column: workload.ColRunTime, Unit: columnar.PerMilli},
		{Name: "endTime", Column: columnar.End, Unit: columnar.PerMilli},
		{Name: "stop_time", Column: columnar.End, Unit: columnar.PerMilli},
		{Name: "cpu_count", Column: workload.ColRequestedProcessors, Unit: 1},
		{Name: "maxCores", Column: workload.ColRequestedProcessors, Unit: 1},
		{Name: "mem_capacity", Column: workload.ColRequestedMemory, Unit: 1, Whole: true},
	},
}
