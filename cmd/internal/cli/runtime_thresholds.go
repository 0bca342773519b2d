package cli

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/evaluate"
)

// runTimeConditions are the names by which --require knows scores that the
// result calls otherwise.
var runTimeConditions = map[string]string{"accuracy": "accuracy_mean"}

// runTimeScores are the scores that --require knows.
func runTimeScores() []string {
	return []string{"accuracy", "accuracy_median", "coverage", "absolute_error_mean_s", "absolute_error_median_s", "bias_s",
		"relative_error_median", "log_error_mean", "under_pct", "over_pct"}
}

// runTimeThresholds says what of --require and --baseline is not met.
func (a *app) runTimeThresholds(o runtimeOptions, r *evaluate.RunTimesResult, baseline *evaluate.RunTimesResult) error {
	var faults []string
	for _, q := range o.requirements {
		s := r.Score(q.of[0], q.of[1])
		if s == nil {
			i := slices.IndexFunc(r.LeftOut, func(c evaluate.ClassesLeftOut) bool { return c.Classes == q.of[1] })
			faults = append(faults, fmt.Sprintf("--require '%s': its classes are left out: %s", q.text, r.LeftOut[i].Why))
			continue
		}
		name := q.metric
		if full, ok := runTimeConditions[name]; ok {
			name = full
		}
		x, _ := present.Value(tables.RunTimeColumns(false, ""), name, *s)
		if fault := q.fault(x); fault != "" {
			faults = append(faults, fault)
		}
	}
	if baseline != nil {
		changes, err := r.Since(baseline, o.baseline.rule)
		if err != nil {
			return about(o.baseline.path, err)
		}
		faults = append(faults, a.fallen(o.baseline, changes)...)
	}
	return unmet(o.input, faults)
}
