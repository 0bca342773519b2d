package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
)

// runtimeBaseline is what an earlier result says.
type runtimeBaseline struct {
	path     string
	Log      *logJSON           `json:"log"`
	Options  *runtimeRulesJSON  `json:"options"`
	Fallback []string           `json:"fallback"`
	Scores   []runtimeScoreRead `json:"scores"`
	scores   []baselineScore    // of Scores
}

// runtimeScoreRead are the fields of runtimeScoreJSON that are compared, as
// they stand: empty where there is none, which null is not.
type runtimeScoreRead struct {
	Classes   string          `json:"classes"`
	Predictor string          `json:"predictor"`
	Predicted json.RawMessage `json:"predicted"`
	Accuracy  json.RawMessage `json:"accuracy_mean"`
	Low       json.RawMessage `json:"accuracy_low"`
	High      json.RawMessage `json:"accuracy_high"`
}

var (
	errNoScores = errors.New("no scores to compare with")
	errMissing  = errors.New("it is missing")
)

func readRuntimeBaseline(path string) (*runtimeBaseline, error) {
	b := &runtimeBaseline{path: path}
	if err := readBaseline(path, runtimeSchema, b); err != nil {
		return nil, err
	}
	if len(b.Scores) == 0 {
		return nil, fmt.Errorf("%s: %w", path, errNoScores)
	}
	if err := b.check(); err != nil {
		return nil, fmt.Errorf("%s: damaged: %w", path, err)
	}
	return b, nil
}

// check reads the scores, and finds what no run writes.
func (b *runtimeBaseline) check() error {
	switch {
	case b.Log == nil:
		return fmt.Errorf("log: %w", errMissing)
	case b.Options == nil:
		return fmt.Errorf("options: %w", errMissing)
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
	return nil
}

func accuracyName(predictor, classes string) string {
	return "accuracy(" + predictor + "," + classes + ")"
}

// rounding is by how much a mean and the bounds of an interval may pass each
// other where all users are alike: they are sums in another order.
const rounding = 1e-9

func (s *runtimeScoreRead) score(name string) (baselineScore, error) {
	b := baselineScore{name: name}
	predicted := math.NaN()
	for _, f := range []struct {
		name string
		text json.RawMessage
		most float64
		into *float64
	}{
		{"predicted", s.Predicted, math.MaxInt64, &predicted},
		{"accuracy_mean", s.Accuracy, 1, &b.value},
		{"accuracy_low", s.Low, 1, &b.low},
		{"accuracy_high", s.High, 1, &b.high},
	} {
		text := string(f.text)
		if text == "" {
			return b, fmt.Errorf("%s: %w", f.name, errMissing)
		}
		if text == "null" && f.name != "predicted" {
			*f.into = math.NaN()
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		switch {
		case f.most > 1 && (err != nil || !(x >= 0 && x <= f.most)):
			return b, fmt.Errorf("%s: saw %s, want how many jobs were predicted", f.name, text)
		case err != nil || !(x >= -rounding && x <= f.most+rounding):
			return b, fmt.Errorf("%s: saw %s, want a number from 0 to 1", f.name, text)
		}
		*f.into = x
	}
	none := func(x float64) bool { return math.IsNaN(x) }
	switch {
	case none(b.value) && predicted > 0:
		return b, fmt.Errorf("accuracy_mean: saw null, want a number: %g jobs were predicted", predicted)
	case !none(b.value) && predicted == 0:
		return b, fmt.Errorf("accuracy_mean: saw %g, want null: no job was predicted", b.value)
	case none(b.low) && !none(b.high):
		return b, errors.New("accuracy_low: saw null beside an accuracy_high")
	case none(b.high) && !none(b.low):
		return b, errors.New("accuracy_high: saw null beside an accuracy_low")
	case none(b.value) && !none(b.low):
		return b, errors.New("accuracy_low: saw a bound of a mean that is null")
	case b.low > b.value+rounding:
		return b, fmt.Errorf("accuracy_low: saw %g, want at most the mean, %g", b.low, b.value)
	case b.high < b.value-rounding:
		return b, fmt.Errorf("accuracy_high: saw %g, want at least the mean, %g", b.high, b.value)
	}
	return b, nil
}

// compare says which accuracies fell.
func (b *runtimeBaseline) compare(r *runtimeRun) ([]string, error) {
	var now []baselineScore
	jobs := 0
	for _, i := range r.scored() {
		e, s, in := r.entries[i], r.tallies[i].Result(), r.interval(i)
		jobs = s.Jobs
		now = append(now, baselineScore{accuracyName(e.Predictor, e.Classes.Name), s.AccuracyMean, in.Accuracy.Low, in.Accuracy.High})
	}
	fell, missing := drops(b.scores, now)
	if len(missing) == len(now) {
		return nil, fmt.Errorf("%s: has none of the %d scores of this run: %s", b.path, len(now), strings.Join(missing, ", "))
	}
	if len(missing) > 0 {
		r.a.warn("%s: not compared, for it lacks them: %s", b.path, strings.Join(missing, ", "))
	}
	for _, other := range b.others(r, jobs) {
		r.a.warn("--baseline %s: it is of %s", b.path, other)
	}
	for i := range fell {
		fell[i] = "--baseline " + b.path + ": " + fell[i]
	}
	return fell, nil
}

// others says in what an earlier run differs from this one, so that their
// scores are not of the same thing. A log may have moved to another folder.
func (b *runtimeBaseline) others(r *runtimeRun, jobs int) []string {
	var all []string
	if was, is := filepath.Base(b.Log.Name), filepath.Base(r.log.Name); was != is {
		all = append(all, fmt.Sprintf("log %q, not %q", was, is))
	}
	if b.Log.Jobs != jobs {
		all = append(all, fmt.Sprintf("%d jobs, not %d", b.Log.Jobs, jobs))
	}
	o := r.o
	for _, x := range []struct {
		name    string
		was, is float64
	}{
		{"alpha", b.Options.Alpha, o.alpha},
		{"window", float64(b.Options.Window), float64(o.window)},
		{"neighbours", float64(b.Options.Neighbours), float64(o.neighbours)},
		{"quantile", b.Options.Quantile, o.quantile},
		{"confidence", b.Options.Confidence, o.confidence},
	} {
		if x.was != x.is {
			all = append(all, fmt.Sprintf("%s %g, not %g", x.name, x.was, x.is))
		}
	}
	// Where only one of the runs has a chain, no score of one is compared.
	was, is := strings.Join(b.Fallback, ","), strings.Join(o.fallback, ",")
	if was != is && was != "" && is != "" {
		all = append(all, fmt.Sprintf("fallback %s, not %s", was, is))
	}
	return all
}
