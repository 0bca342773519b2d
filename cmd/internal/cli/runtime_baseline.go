package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// runtimeBaseline is what an earlier result says.
type runtimeBaseline struct {
	path     string
	Log      *workload.Summary       `json:"log"`
	Options  *evaluate.RunTimesRules `json:"options"`
	Fallback []string                `json:"fallback"`
	Scores   []runtimeScoreRead      `json:"scores"`
	scores   []baselineScore         // of Scores
}

// runtimeScoreRead are the fields of runtimeScoreJSON that are compared, as
// they stand: empty where there is none, which null is not.
type runtimeScoreRead struct {
	Classes   string          `json:"classes"`
	Predictor string          `json:"predictor"`
	Jobs      json.RawMessage `json:"jobs"`
	Predicted json.RawMessage `json:"predicted"`
	Accuracy  json.RawMessage `json:"accuracy_mean"`
	Low       json.RawMessage `json:"accuracy_low"`
	High      json.RawMessage `json:"accuracy_high"`
	Sums      score.SumsText  `json:"sums"`
}

func readRuntimeBaseline(path string) (*runtimeBaseline, error) {
	b := &runtimeBaseline{path: path}
	return b, readBaseline(path, evaluate.RunTimesSchema, b)
}

func (b *runtimeBaseline) needs() []string {
	return []string{"log", "log.name", "log.jobs", "options", "options.alpha", "options.window", "options.neighbours", "options.quantile", "options.confidence"}
}

func (b *runtimeBaseline) count() int { return len(b.Scores) }

func (b *runtimeBaseline) check() error {
	o := b.Options
	err := impossible(
		fromOne("log.jobs", float64(b.Log.Jobs)),
		wanted{"options.alpha", o.Alpha, o.Alpha >= 0 && o.Alpha <= 1, "0 to 1"},
		fromOne("options.window", float64(o.Window)), fromOne("options.neighbours", float64(o.Neighbours)),
		between01("options.quantile", o.Quantile), between01("options.confidence", o.Confidence),
	)
	if err != nil {
		return err
	}
	for i, s := range b.Scores {
		switch {
		case s.Classes == "":
			return fmt.Errorf("scores[%d]: classes: %w", i, errMissing)
		case s.Predictor == "":
			return fmt.Errorf("scores[%d]: predictor: %w", i, errMissing)
		}
		name := accuracyName(s.Predictor, s.Classes)
		score, err := s.score(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		b.scores = append(b.scores, score)
	}
	return scoredTwice(b.scores)
}

func accuracyName(predictor, classes string) string {
	return "accuracy(" + predictor + "," + classes + ")"
}

// score reads the mean accuracy, its interval and what it is made of.
func (s *runtimeScoreRead) score(name string) (baselineScore, error) {
	predicted, err := readPredicted(s.Jobs, s.Predicted)
	if err != nil {
		return baselineScore{}, err
	}
	b, err := readScore(name, scoreFields{
		field{"accuracy_mean", s.Accuracy}, field{"accuracy_low", s.Low}, field{"accuracy_high", s.High},
	}, 0, predicted)
	if err != nil {
		return b, err
	}
	b.clusters, err = s.Sums.Clusters(false, predicted, b.value)
	return b, err
}

// compare says which accuracies fell.
func (b *runtimeBaseline) compare(a *app, r *evaluate.RunTimesResult, rule dropRule) ([]string, error) {
	var now []baselineScore
	for _, s := range r.Scores {
		now = append(now, baselineScore{name: accuracyName(s.Predictor, s.Classes), value: float64(s.AccuracyMean), clusters: s.Sums, of: score.Sums.AccuracyMean})
	}
	return a.compareScores(b.path, b.scores, now, b.others(r), rule)
}

// others says in what an earlier run differs from this one, so that their
// scores are not of the same thing. A log may have moved to another folder.
func (b *runtimeBaseline) others(r *evaluate.RunTimesResult) []string {
	all := otherLog(*b.Log, r.Log)
	was, is := b.Options, r.Options
	all = append(all, otherNumbers([]setting{
		{"alpha", was.Alpha, is.Alpha},
		{"window", float64(was.Window), float64(is.Window)},
		{"neighbours", float64(was.Neighbours), float64(is.Neighbours)},
		{"quantile", was.Quantile, is.Quantile},
		{"confidence", was.Confidence, is.Confidence},
	})...)
	// Where only one of the runs has a chain, no score of one is compared.
	if was, is := strings.Join(b.Fallback, ","), strings.Join(r.Fallback, ","); was != is && was != "" && is != "" {
		all = append(all, fmt.Sprintf("fallback %s, not %s", was, is))
	}
	return all
}
