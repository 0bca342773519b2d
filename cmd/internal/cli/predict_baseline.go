package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// predictBaseline is what an earlier result says.
type predictBaseline struct {
	path       string
	Log        *workload.Summary  `json:"log"`
	Processors int64              `json:"simulated_processors"` // 0 for null
	Quantile   float64            `json:"quantile"`
	Confidence float64            `json:"confidence"`
	Parameters string             `json:"parameters"`
	Classes    []string           `json:"classes"`
	Groups     []string           `json:"groups"`
	Changes    string             `json:"changes"`
	Options    *predictRulesJSON  `json:"options"`
	Scores     []predictScoreRead `json:"scores"`
	scores     []baselineScore    // of Scores
}

// predictRulesJSON are the options that a result does not tell elsewhere.
type predictRulesJSON struct {
	Law    string  `json:"law"`
	Trim   float64 `json:"trim"`
	Limits bool    `json:"limits"`
	Months int     `json:"months"`
	Factor float64 `json:"estimate_factor"` // 0 for none
}

func (o *predictOptions) rules() predictRulesJSON {
	return predictRulesJSON{o.law, o.trim, o.limits, o.months, o.factor}
}

// predictScoreRead are the fields of predictScoreJSON that are compared, as they
// stand: empty where there is none, which null is not.
type predictScoreRead struct {
	Predictor    string          `json:"predictor"`
	Waits        string          `json:"waits"`
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
	return b, readBaseline(path, predictSchema, b)
}

func (b *predictBaseline) parts() (log, options bool, scores int) {
	return b.Log != nil, b.Options != nil, len(b.Scores)
}

func (b *predictBaseline) check() error {
	for i, s := range b.Scores {
		if s.Predictor == "" {
			return fmt.Errorf("scores[%d]: predictor: %w", i, errMissing)
		}
		predicted, err := readCount("predicted", s.Predicted)
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
		if err != nil {
			return fmt.Errorf("%s: %w", s.Predictor, err)
		}
		for i := range three {
			three[i].clusters = clusters
		}
	}
	return nil
}

// compare says which scores fell: of a bound its coverage and its accuracy, of
// others the accuracy and the correlation.
func (b *predictBaseline) compare(r *predictRun) ([]string, error) {
	var now []baselineScore
	for _, s := range r.scores {
		j, clusters := s.json(), s.followed.blocks.Clusters()
		add := func(name string, value stats.Number, of func(score.Sums) float64) {
			now = append(now, baselineScore{name: name + "(" + s.predictor + ")", value: float64(value), clusters: &clusters, of: of})
		}
		add("accuracy", j.AccuracyMean, score.Sums.AccuracyMean)
		if s.bound != nil {
			add("coverage", j.Coverage, score.Sums.HeldShare)
		} else {
			add("correlation_log", j.CorrelationLog, score.Sums.CorrelationLog)
		}
	}
	return r.app.compareScores(b.path, b.scores, now, b.others(r), r.o.drop)
}

// others says in what an earlier run differs from this one, so that their
// scores are not of the same thing.
func (b *predictBaseline) others(r *predictRun) []string {
	o, was := r.o, b.Options
	all := otherLog(*b.Log, workload.Summary{Name: o.input, Jobs: r.jobs})
	settings := []setting{
		{"quantile", b.Quantile, o.quantile},
		{"confidence", b.Confidence, o.confidence},
		{"trim", was.Trim, o.trim},
		{"months", float64(was.Months), float64(o.months)},
		{"estimate factor", was.Factor, o.factor},
	}
	if b.Processors > 0 && r.processors > 0 {
		settings = append(settings, setting{"processors", float64(b.Processors), float64(r.processors)})
	}
	all = append(all, otherNumbers(settings)...)
	for _, x := range []struct{ name, was, is string }{
		{"law", was.Law, o.law},
		{"limits", fmt.Sprint(was.Limits), fmt.Sprint(o.limits)},
		{"parameters", b.Parameters, o.parameters},
		{"classes", listed(b.Classes), listed(o.classes)},
		{"groups", listed(b.Groups), listed(o.groups)},
		{"changes", b.Changes, o.changes},
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
