package workload

// opendcLayout is the table of tasks of an OpenDC trace (tasks.parquet) in its
// versions 1 to 3, which are told apart by nothing but their Columns: numbers
// were texts at first, and names have changed. Times are milliseconds, those
// of submission from 1970; memory is KB for the whole task (TASK_MEM_CAPACITY
// in OpenDC's conventions), which the job table has per processor.
//
// A task's duration is its run time, its CPUs are processors asked for; there
// are no waits, which a simulation would give. Capacities in MHz, GPUs,
// deadlines and the tasks before and behind a task are left out and counted.
var opendcLayout = traceLayout{
	Format:    "opendc",
	Title:     "an OpenDC trace",
	UnixTimes: true,
	Columns: []traceColumn{
		{Name: "id", Column: ColJobID, Unit: 1},
		{Name: "submission_time", Column: ColSubmitTime, Unit: perMilli},
		{Name: "submissionTime", Column: ColSubmitTime, Unit: perMilli},
		{Name: "start_time", Column: ColSubmitTime, Unit: perMilli},
		{Name: "duration", Column: ColRunTime, Unit: perMilli},
		{Name: "endTime", Column: traceEnd, Unit: perMilli},
		{Name: "stop_time", Column: traceEnd, Unit: perMilli},
		{Name: "cpu_count", Column: ColRequestedProcessors, Unit: 1},
		{Name: "maxCores", Column: ColRequestedProcessors, Unit: 1},
		{Name: "mem_capacity", Column: ColRequestedMemory, Unit: 1, Whole: true},
	},
}
