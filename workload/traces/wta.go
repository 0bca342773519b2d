package traces

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// wtaLayout is the table of tasks of the Workflow Trace Archive, schema 1.0
// (Versluis et al., "The Workflow Trace Archive", IEEE TPDS 31(9), 2020; its
// parse scripts give the units). A task is a job: its site is the partition,
// its type the application. Times are milliseconds, from the log's start in
// some traces and from 1970 in others; -1 is unknown, also where identifiers
// are hashes and negative numbers are ordinary ones.
//
// Workflows and the tasks before and behind a task are left out and counted,
// and so are requests for memory, for which the format names no unit.
var wtaLayout = columnar.Mapping{
	Format: "wta",
	Title:  "a trace of the Workflow Trace Archive",
	Columns: []columnar.MappedColumn{
		{Name: "id", Column: workload.ColJobID, Unit: 1},
		{Name: "ts_submit", Column: workload.ColSubmitTime, Unit: columnar.PerMilli},
		{Name: "wait_time", Column: workload.ColWaitTime, Unit: columnar.PerMilli},
		{Name: "runtime", Column: workload.ColRunTime, Unit: columnar.PerMilli},
		{Name: "resource_amount_requested", Column: workload.ColRequestedProcessors, Unit: 1},
		{Name: "user_id", Column: workload.ColUser, Unit: 1},
		{Name: "group_id", Column: workload.ColGroup, Unit: 1},
		{Name: "type", Column: workload.ColApplication, Unit: 1},
		{Name: "submission_site", Column: workload.ColPartition, Unit: 1},
	},
}
