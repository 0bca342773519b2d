package tables

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/workload"
)

// HintSimulate is the hint for logs without waits.
const HintSimulate = "'loadstone simulate' adds simulated waits to a log"

var (
	waitHints = map[string]string{
		"no-waits":     HintSimulate,
		"no-estimates": "--estimate-factor draws them",
	}
	usersHints = map[string]string{"no-run-time": "expected for jobs that never ran; otherwise check the log's columns with 'loadstone describe'"}
)

// WaitRemarks returns the warnings of scores of wait predictors, preceded by a note if only the
// first jobs were replayed.
func WaitRemarks(r *evaluate.WaitsResult) []view.Remark {
	all := withHints(r.Warnings, waitHints)
	if r.FirstJobs > 0 {
		all = append([]view.Remark{{Text: fmt.Sprintf("only the first %d jobs by submission are replayed (--first-jobs)", r.FirstJobs)}}, all...)
	}
	return all
}

// UsersRemarks returns the warnings of a fit of users' behaviour, with hints.
func UsersRemarks(all []workload.Warning) []view.Remark { return withHints(all, usersHints) }

// withHints returns warnings as remarks, each followed by the hint for its rule, if there is one.
func withHints(all []workload.Warning, hints map[string]string) []view.Remark {
	all = slices.Clone(all)
	for i, w := range all {
		if hint := hints[w.Rule]; hint != "" {
			all[i].Text += "; " + hint
		}
	}
	return view.Warnings(all)
}
