package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
		m := slices.IndexFunc(runtimeMetrics, func(m metric[score.RunTimeDetail]) bool { return m.name == q.metric })
		if fault := q.fault(runtimeMetrics[m].of(r.tallies[at].Detail())); fault != "" {
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
	if len(faults) > 0 {
		return &thresholdError{r.o.input + ": " + strings.Join(faults, "; ")}
	}
	return nil
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

// runtimeBaseline is what an earlier result says.
type runtimeBaseline struct {
	path string
	Log  logJSON `json:"log"`
	// Scores are those of runtimeScoreJSON that are compared.
	Scores []struct {
		Classes   string   `json:"classes"`
		Predictor string   `json:"predictor"`
		Accuracy  *float64 `json:"accuracy_mean"`
		Low       *float64 `json:"accuracy_low"`
		High      *float64 `json:"accuracy_high"`
	} `json:"scores"`
}

func readRuntimeBaseline(path string) (*runtimeBaseline, error) {
	b := &runtimeBaseline{path: path}
	if err := readBaseline(path, runtimeSchema, b); err != nil {
		return nil, err
	}
	if len(b.Scores) == 0 {
		return nil, fmt.Errorf("%s: %w", path, errNoScores)
	}
	return b, nil
}

var errNoScores = errors.New("no scores to compare with")

func (b *runtimeBaseline) compare(r *runtimeRun) ([]string, error) {
	var before, now []baselineScore
	for _, s := range b.Scores {
		before = append(before, baselineScore{"accuracy(" + s.Predictor + "," + s.Classes + ")", orNaN(s.Accuracy), orNaN(s.Low), orNaN(s.High)})
	}
	for _, i := range r.scored() {
		e, in := r.entries[i], r.interval(i)
		now = append(now, baselineScore{"accuracy(" + e.Predictor + "," + e.Classes.Name + ")", r.tallies[i].Result().AccuracyMean, in.Accuracy.Low, in.Accuracy.High})
	}
	fell, missing := drops(before, now)
	if len(missing) == len(now) {
		return nil, fmt.Errorf("%s: has none of the %d scores of this run: %s", b.path, len(now), strings.Join(missing, ", "))
	}
	if len(missing) > 0 {
		r.a.warn("%s: not compared, for it lacks them: %s", b.path, strings.Join(missing, ", "))
	}
	for i := range fell {
		fell[i] = "--baseline " + b.path + ": " + fell[i]
	}
	return fell, nil
}
