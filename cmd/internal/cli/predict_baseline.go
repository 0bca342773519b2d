package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// predictBaseline is what an earlier result says.
type predictBaseline struct {
	path       string
	Log        *workload.Summary    `json:"log"`
	Processors int64                `json:"simulated_processors"` // 0 for null
	Quantile   float64              `json:"quantile"`
	Confidence float64              `json:"confidence"`
	Parameters string               `json:"parameters"`
	Classes    []string             `json:"classes"`
	Groups     []string             `json:"groups"`
	Changes    string               `json:"changes"`
	Options    *evaluate.WaitsRules `json:"options"`
	Scores     []predictScoreRead   `json:"scores"`
	scores     []baselineScore      // of Scores
}

// predictScoreRead are the fields of evaluate.WaitScore that are compared, as they
// stand: empty where there is none, which null is not.
type predictScoreRead struct {
	Predictor    string          `json:"predictor"`
	Waits        string          `json:"waits"`
	Jobs         json.RawMessage `json:"jobs"`
	Predicted    json.RawMessage `json:"predicted"`
	Accuracy     json.RawMessage `json:"accuracy_mean"`
	AccuracyLow  json.RawMessage `json:"accuracy_low"`
	AccuracyHigh json.RawMessage `json:"accuracy_high"`
	Coverage     json.RawMessage `json:"coverage"`
	CoverageLow  json.RawMessage `json:"coverage_low"`
	CoverageHigh json.RawMessage `json:"coverage_high"`
	Log          json.RawMessage `json:"correlation_log"`
	LogLow       json.RawMessage `json:"correlation_log_low"`
	LogHigh      json.RawMessage `json:"correlation_log_high"`
	Sums         score.SumsText  `json:"sums"`
}

func readPredictBaseline(path string) (*predictBaseline, error) {
	b := &predictBaseline{path: path}
	return b, readBaseline(path, evaluate.WaitsSchema, b)
}

func (b *predictBaseline) needs() []string {
	return []string{"log", "log.name", "log.jobs", "quantile", "confidence", "parameters", "changes",
		"options", "options.law", "options.trim", "options.limits", "options.months", "options.estimate_factor"}
}

func (b *predictBaseline) count() int { return len(b.Scores) }

func (b *predictBaseline) check() error {
	o := b.Options
	err := impossible(
		fromOne("log.jobs", float64(b.Log.Jobs)), between01("quantile", b.Quantile), between01("confidence", b.Confidence),
		wanted{"options.trim", o.Trim, o.Trim >= 0 && o.Trim < 0.5, "0 or more and less than 0.5"},
		wanted{"options.months", float64(o.Months), o.Months >= 1 && 12%o.Months == 0, "1, 2, 3, 4, 6 or 12"},
		wanted{"options.estimate_factor", o.Factor, o.Factor == 0 || o.Factor >= 1 && o.Factor <= 1e6, "0, or 1 to 1e6"},
	)
	if err != nil {
		return err
	}
	for i, s := range b.Scores {
		if s.Predictor == "" {
			return fmt.Errorf("scores[%d]: predictor: %w", i, errMissing)
		}
		predicted, err := readPredicted(s.Jobs, s.Predicted)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Predictor, err)
		}
		for _, x := range []struct {
			score            string
			of               scoreFields
			least, predicted float64
		}{
			{"accuracy", scoreFields{field{"accuracy_mean", s.Accuracy}, field{"accuracy_low", s.AccuracyLow}, field{"accuracy_high", s.AccuracyHigh}}, 0, predicted},
			{"coverage", scoreFields{field{"coverage", s.Coverage}, field{"coverage_low", s.CoverageLow}, field{"coverage_high", s.CoverageHigh}}, 0, math.NaN()},
			{"correlation_log", scoreFields{field{"correlation_log", s.Log}, field{"correlation_log_low", s.LogLow}, field{"correlation_log_high", s.LogHigh}}, -1, math.NaN()},
		} {
			name := x.score + "(" + s.Predictor + ")"
			score, err := readScore(name, x.of, x.least, x.predicted)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			b.scores = append(b.scores, score)
		}
		three := b.scores[len(b.scores)-3:]
		clusters, err := s.Sums.Clusters(true, predicted, three[0].value)
		if err == nil && clusters != nil {
			if slices.Contains(slices.Concat(predict.BoundNames(), predict.BoundVariants()), s.Predictor) {
				err = clusters.CheckCoverage(three[1].value)
			} else {
				err = clusters.CheckCorrelation(three[2].value)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.Predictor, err)
		}
		for i := range three {
			three[i].clusters = clusters
		}
	}
	return scoredTwice(b.scores)
}

// compare says which scores fell: of a bound its coverage and its accuracy, of
// others the accuracy and the correlation.
func (b *predictBaseline) compare(a *app, o predictOptions, r *evaluate.WaitsResult) ([]string, error) {
	var now []baselineScore
	for _, s := range r.Scores {
		var clusters *score.Clusters
		if s.Sums != nil {
			clusters = &s.Sums.Clusters
		}
		add := func(name string, value stats.Number, of func(score.Sums) float64) {
			now = append(now, baselineScore{name: name + "(" + s.Predictor + ")", value: float64(value), clusters: clusters, of: of})
		}
		add("accuracy", s.AccuracyMean, score.Sums.AccuracyMean)
		if s.Bound {
			add("coverage", s.Coverage, score.Sums.HeldShare)
		} else {
			add("correlation_log", s.CorrelationLog, score.Sums.CorrelationLog)
		}
	}
	return a.compareScores(b.path, b.scores, now, b.others(r), o.drop)
}

// others says in what an earlier run differs from this one, so that their
// scores are not of the same thing.
func (b *predictBaseline) others(r *evaluate.WaitsResult) []string {
	was, is := b.Options, r.Options
	all := otherLog(*b.Log, r.Log)
	settings := []setting{
		{"quantile", b.Quantile, r.Quantile},
		{"confidence", b.Confidence, r.Confidence},
		{"trim", was.Trim, is.Trim},
		{"months", float64(was.Months), float64(is.Months)},
		{"estimate factor", was.Factor, is.Factor},
	}
	if b.Processors > 0 && r.Processors != nil {
		settings = append(settings, setting{"processors", float64(b.Processors), float64(*r.Processors)})
	}
	all = append(all, otherNumbers(settings)...)
	for _, x := range []struct{ name, was, is string }{
		{"law", was.Law, is.Law},
		{"limits", fmt.Sprint(was.Limits), fmt.Sprint(is.Limits)},
		{"parameters", b.Parameters, r.Parameters},
		{"classes", listed(b.Classes), listed(r.Classes)},
		{"groups", listed(b.Groups), listed(r.Groups)},
		{"changes", b.Changes, r.Changes},
	} {
		if x.was != x.is {
			all = append(all, fmt.Sprintf("%s %s, not %s", x.name, x.was, x.is))
		}
	}
	return all
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ",")
}
