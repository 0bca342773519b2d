package report

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// 'loadstone clean' is named only for faults that a filter of it removes.
func TestQualityNamesFilters(t *testing.T) {
	v := inspect.Validation{Faults: 6, Oddities: 1, Findings: []inspect.Finding{
		{Rule: "machine-over-full", Severity: inspect.Fault, Count: 1, Counts: "moments", Words: "busy"},
		{Rule: "allocated-over-machine", Severity: inspect.Fault, Count: 1, Counts: "jobs", Words: "large"},
		{Rule: "negative-run-time", Field: "run_time_s", Severity: inspect.Fault, Count: 1, Counts: "jobs", Words: "negative"},
		{Rule: "submit-order", Severity: inspect.Fault, Count: 1, Counts: "jobs", Words: "order"},
		{Rule: "header-end", Severity: inspect.Fault, Count: 1, Counts: "headers", Words: "end"},
		{Rule: "cpu-over-run", Severity: inspect.Fault, Count: 1, Counts: "jobs", Words: "cpu"},
		{Rule: "wait-unknown", Severity: inspect.Oddity, Count: 1, Counts: "jobs", Words: "unknown"},
	}}
	v.Log.Processors = 64
	same(t, "quality", lines((&Report{validate: v}).quality())[:7], []string{
		"warning: 6 faults and 1 oddity were found; 'loadstone validate' gives the places.",
		"machine-over-full: it concerns several jobs together, so 'loadstone clean' has no filter for it. The machine's size (--procs) may be too small, or the log may have jobs of other machines or inaccurate times.",
		"allocated-over-machine: loadstone clean --filter 'proc>64' removes these jobs.",
		"negative-run-time: loadstone clean --filter 'run_time_s<0' removes these jobs.",
		"submit-order: no job is wrong; commands that need the order of submission sort the jobs.",
		"header-end: correct the header; the jobs are not affected.",
		"cpu-over-run: 'loadstone validate --first 100' lists the first 100 with their rows; loadstone clean --filter 'row=...' removes single jobs.",
	})
}
