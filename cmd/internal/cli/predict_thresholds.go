package cli

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/stats"
)

// waitConditions are the scores that --require knows.
func waitConditions() []string {
	return []string{"coverage", "coverage_nonzero", "accuracy", "absolute_error_mean_min", "under_pct", "over_pct", "correlation_log", "tightness_median"}
}

// waitThresholds says what of --require and --baseline is not met.
func (a *app) waitThresholds(o predictOptions, r *evaluate.WaitsResult, baseline *evaluate.WaitsResult) error {
	var faults []string
	columns := append(tables.WaitColumns(false),
		present.Float("tightness_median", "", func(s evaluate.WaitScore) stats.Number { return s.TightnessMedian }, nil))
	for _, q := range o.requirements {
		s := r.Score(q.of[0])
		if s == nil {
			i := slices.IndexFunc(r.LeftOut, func(p evaluate.PredictorLeftOut) bool { return p.Predictor == q.of[0] })
			why := "it is not scored"
			if i >= 0 {
				why = r.LeftOut[i].Why
			}
			faults = append(faults, fmt.Sprintf("--require '%s': %s is left out: %s", q.text, q.of[0], why))
			continue
		}
		name := q.metric
		if full, ok := runTimeConditions[name]; ok {
			name = full
		}
		x, _ := present.Value(columns, name, *s)
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
