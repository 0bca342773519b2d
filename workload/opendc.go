package workload

// opendcLayout is the table of tasks of an OpenDC trace (tasks.parquet) in its
// versions 1 to 3, which are told apart by nothing but their columns: numbers
// were texts at first, and names have changed. Times are milliseconds, those
// of submission from 1970; memory is KB for the whole task (TASK_MEM_CAPACITY
// in OpenDC's conventions), which the job table has per processor.
//
// A task's duration is its run time, its CPUs are processors asked for; there
// are no waits, which a simulation would give. Capacities in MHz, GPUs,
// deadlines and the tasks before and behind a task are left out and counted.
var opendcLayout = traceLayout{
	format:    "opendc",
	title:     "an OpenDC trace",
	unixTimes: true,
	columns: []traceColumn{
		{name: "id", column: ColJobID, unit: 1},
		{name: "submission_time", column: ColSubmitTime, unit: perMilli},
		{name: "submissionTime", column: ColSubmitTime, unit: perMilli},
		{name: "start_time", column: ColSubmitTime, unit: perMilli},
		{name: "duration", column: ColRunTime, unit: perMilli},
		{name: "endTime", column: traceEnd, unit: perMilli},
		{name: "stop_time", column: traceEnd, unit: perMilli},
		{name: "cpu_count", column: ColRequestedProcessors, unit: 1},
		{name: "maxCores", column: ColRequestedProcessors, unit: 1},
		{name: "mem_capacity", column: ColRequestedMemory, unit: 1, whole: true},
	},
}
