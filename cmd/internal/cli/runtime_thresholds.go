package cli

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
)

// thresholds says what of --require and --baseline is not met.
func (r *runtimeRun) thresholds(baseline *runtimeBaseline) error {
	var faults []string
	for _, q := range r.o.requirements {
		at := slices.IndexFunc(r.entries, func(e runtime.Entry) bool { return e.Predictor == q.of[0] && e.Classes.Name == q.of[1] })
		if why := r.lacks(r.entries[at]); why != "" {
			faults = append(faults, fmt.Sprintf("--require '%s': its classes are left out: %s", q.text, why))
			continue
		}
		if fault := q.fault(metricOf(runtimeMetrics, q.metric, r.tallies[at].Detail())); fault != "" {
			faults = append(faults, fault)
		}
	}
	if baseline != nil {
		fell, err := baseline.compare(r)
		if err != nil {
			return err
		}
		faults = append(faults, fell...)
	}
	return unmet(r.o.input, faults)
}

// runtimeMetrics are the scores that --require knows.
var runtimeMetrics = []metric[score.RunTimeDetail]{
	{"accuracy", func(s score.RunTimeDetail) float64 { return s.AccuracyMean }},
	{"accuracy_median", func(s score.RunTimeDetail) float64 { return s.AccuracyMedian }},
	{"coverage", func(s score.RunTimeDetail) float64 { return s.Coverage }},
	{"absolute_error_mean_s", func(s score.RunTimeDetail) float64 { return s.AbsoluteErrorMean }},
	{"absolute_error_median_s", func(s score.RunTimeDetail) float64 { return s.AbsoluteErrorMedian }},
	{"bias_s", func(s score.RunTimeDetail) float64 { return s.Bias }},
	{"relative_error_median", func(s score.RunTimeDetail) float64 { return s.RelativeErrorMedian }},
	{"log_error_mean", func(s score.RunTimeDetail) float64 { return s.LogErrorMean }},
	{"under_pct", func(s score.RunTimeDetail) float64 { return s.UnderPct }},
	{"over_pct", func(s score.RunTimeDetail) float64 { return s.OverPct }},
}
