package workload

// wtaLayout is the table of tasks of the Workflow Trace Archive, schema 1.0
// (Versluis et al., "The Workflow Trace Archive", IEEE TPDS 31(9), 2020; its
// parse scripts give the units). A task is a job: its site is the partition,
// its type the application. Times are milliseconds, from the log's start in
// some traces and from 1970 in others; -1 is unknown, also where identifiers
// are hashes and negative numbers are ordinary ones.
//
// Workflows and the tasks before and behind a task are left out and counted,
// and so are requests for memory, for which the format names no unit.
var wtaLayout = traceLayout{
	format: "wta",
	title:  "a trace of the Workflow Trace Archive",
	columns: []traceColumn{
		{name: "id", column: ColJobID, unit: 1},
		{name: "ts_submit", column: ColSubmitTime, unit: perMilli},
		{name: "wait_time", column: ColWaitTime, unit: perMilli},
		{name: "runtime", column: ColRunTime, unit: perMilli},
		{name: "resource_amount_requested", column: ColRequestedProcessors, unit: 1},
		{name: "user_id", column: ColUser, unit: 1},
		{name: "group_id", column: ColGroup, unit: 1},
		{name: "type", column: ColApplication, unit: 1},
		{name: "submission_site", column: ColPartition, unit: 1},
	},
}
