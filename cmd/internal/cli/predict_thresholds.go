package cli

import (
	"fmt"
	"slices"
)

// leaveOut notes predictors that were asked for and are not scored.
func (r *predictOutcome) leaveOut(why string, names ...string) {
	if r.leftOut == nil {
		r.leftOut = map[string]string{}
	}
	for _, name := range names {
		r.leftOut[name] = why
	}
}

// thresholds says what of --require and --baseline is not met.
func (r *predictRun) thresholds(baseline *predictBaseline) error {
	var faults []string
	for _, q := range r.o.requirements {
		at := slices.IndexFunc(r.scores, func(s predictScore) bool { return s.predictor == q.of[0] })
		if at < 0 {
			why := r.leftOut[q.of[0]]
			faults = append(faults, fmt.Sprintf("--require '%s': %s is left out: %s", q.text, q.of[0], why))
			continue
		}
		if fault := q.fault(metricOf(predictMetrics, q.metric, r.scores[at].json())); fault != "" {
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

// predictMetrics are the scores that --require knows.
var predictMetrics = []metric[predictScoreJSON]{
	{"coverage", func(s predictScoreJSON) float64 { return float64(s.Coverage) }},
	{"coverage_nonzero", func(s predictScoreJSON) float64 { return float64(s.NonZeroCoverage) }},
	{"accuracy", func(s predictScoreJSON) float64 { return float64(s.AccuracyMean) }},
	{"absolute_error_mean_min", func(s predictScoreJSON) float64 { return float64(s.AbsoluteErrorMean) }},
	{"under_pct", func(s predictScoreJSON) float64 { return float64(s.Under) }},
	{"over_pct", func(s predictScoreJSON) float64 { return float64(s.Over) }},
	{"correlation_log", func(s predictScoreJSON) float64 { return float64(s.CorrelationLog) }},
	{"tightness_median", func(s predictScoreJSON) float64 { return float64(s.Tightness) }},
}
