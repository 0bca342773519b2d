package evaluate

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/stats"
)

// No earlier result makes its readers panic, and the scores read from one are numbers within
// their bounds, or have no bounds.
func FuzzBaseline(f *testing.F) {
	f.Add([]byte(`{"schema":"` + WaitsSchema + `","log":{"name":"x","jobs":3},"quantile":0.95,"confidence":0.95,"parameters":"hindsight",` +
		`"options":{"law":"uniform-log","trim":0.1,"months":1,"estimate_factor":0},"scores":[{"predictor":"bmbp","jobs":4,"predicted":3,` +
		`"accuracy_mean":0.5,"accuracy_low":0.4,"accuracy_high":0.6,"coverage":1,"coverage_low":null,"coverage_high":null,` +
		`"correlation_log":null,"correlation_log_low":null,"correlation_log_high":null}]}`))
	f.Add([]byte(`{"schema":"` + RunTimesSchema + `","log":{"name":"x","jobs":3},"options":{"alpha":0.5,"window":5,"neighbours":5,"quantile":0.95,"confidence":0.95},"fallback":null,` +
		`"scores":[{"classes":"user","predictor":"last2","jobs":4,"predicted":3,"accuracy_mean":0.5,"accuracy_low":0.4,"accuracy_high":0.6}]}`))
	f.Add([]byte(`{"schema":"` + RunTimesSchema + `","scores":[null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := DecodeWaits(data); err == nil {
			checkEarlier(t, r.comparables())
			r.Since(r, 0)
		}
		if r, err := DecodeRunTimes(data); err == nil {
			checkEarlier(t, r.comparables(r))
			r.Since(r, 0)
		}
	})
}

func checkEarlier(t *testing.T, scores []scored) {
	if len(scores) == 0 {
		t.Error("no scores")
	}
	for _, s := range scores {
		if s.name == "" || math.Abs(s.value) > 1+rounding && s.nominal == 0 && !s.lower || s.value < -1-rounding {
			t.Errorf("%+v", s)
		}
	}
}

// earlierRun returns a result with the accuracies 0.8 of last,user and 0.5 of rm,user.
func earlierRun() *RunTimesResult {
	of := func(predictor string, accuracy, low, high float64) RunTimeScore {
		s := RunTimeScore{Classes: "user", Predictor: predictor, AccuracyLow: stats.Number(low), AccuracyHigh: stats.Number(high)}
		s.Jobs, s.Predicted, s.AccuracyMean = 6, 4, stats.Number(accuracy)
		return s
	}
	return &RunTimesResult{
		Schema: RunTimesSchema,
		Scores: []RunTimeScore{of("last", 0.8, 0.7, 0.9), of("rm", 0.5, math.NaN(), math.NaN())},
	}
}

// A decoded result encodes to the same text, and a result shows no change from itself.
func TestDecodeIsInverse(t *testing.T) {
	r := earlierRun()
	r.Log.Name, r.Log.Jobs = "log.swf", 6
	text := jobtest.Must(json.Marshal(r))
	back := jobtest.Must(DecodeRunTimes(text))
	if again, err := json.Marshal(back); err != nil || string(again) != string(text) {
		t.Errorf("%v\n%s\n%s", err, again, text)
	}
	c := r.Since(back, 0)
	if len(c.Scores) != 2 || len(c.New)+len(c.Gone)+len(c.Others) > 0 || c.Scores[0].Fell || c.Scores[1].Fell {
		t.Errorf("%+v", c)
	}
	for _, c := range []struct {
		old, new string
		want     error
	}{
		{RunTimesSchema, WaitsSchema, ErrOtherSchema},
		{`"predicted":4`, `"predicted":-7`, ErrDamaged},
		{`"accuracy_mean":0.8`, `"accuracy_mean":0.8,"accuracy_mean":0.1`, ErrDamaged},
		{`"accuracy_mean":0.8`, `"accuracy_mean":0.8,"Accuracy_mean":0.1`, ErrDamaged},
		{`"accuracy_mean":0.8`, `"accuracy_mean":null`, ErrDamaged},
		{`"scores":[`, `"scores":[],"scores":[`, ErrDamaged},
		{`{"schema"`, `["schema"`, ErrNotAResult},
	} {
		if _, err := DecodeRunTimes([]byte(strings.Replace(string(text), c.old, c.new, 1))); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.new, err, c.want)
		}
	}
}

// Accuracies that fall, by hand: from 0.8 to 0.75, and to none.
func TestSince(t *testing.T) {
	now := earlierRun()
	now.Scores[0].AccuracyMean, now.Scores[1].Predictor = 0.75, "sm"
	now.Log.Jobs = 7
	for most, fell := range map[float64]bool{0: true, 0.1: false} {
		got := now.Since(earlierRun(), most)
		if s := got.Scores[0]; s.Score != "accuracy(last,user)" || s.Before != 0.8 || s.Now != 0.75 || s.Fell != fell {
			t.Errorf("%+v", s)
		}
		if !slices.Equal(got.New, []string{"accuracy(sm,user)"}) || !slices.Equal(got.Gone, []string{"accuracy(rm,user)"}) || !slices.Equal(got.Others, []string{"0 jobs, not 7"}) {
			t.Errorf("%+v", got)
		}
	}
	now.Scores[0].AccuracyMean = stats.Number(math.NaN())
	if got := now.Since(earlierRun(), 0.1); !got.Scores[0].Fell {
		t.Errorf("a score that is missing now: %+v", got)
	}
}

// boundRun returns a result with one bound, for the 0.9-quantile of waits.
func boundRun(coverage, loss float64) *WaitsResult {
	s := WaitScore{Predictor: "bmbp", Bound: true}
	s.Jobs, s.Predicted, s.AccuracyMean, s.CorrelationLog = 20, 20, 0.5, stats.Number(math.NaN())
	s.Coverage, s.QuantileLoss = stats.Number(coverage), stats.Number(loss)
	return &WaitsResult{Schema: WaitsSchema, Quantile: 0.9, Scores: []WaitScore{s}}
}

// Coverage is worse the farther it is below 0.9, loss the higher it is; a change of 5 % in loss
// is allowed. The accuracy of a bound is not compared, because a wider bound has a lower one.
func TestSinceOfBounds(t *testing.T) {
	is := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	for _, c := range []struct {
		what                              string
		covered, lost, covers, loses, max float64 // earlier and current values
		coverage, loss                    bool    // are worse
		farther, costlier                 float64 // by how much
	}{
		{"the same", 0.9, 2.5, 0.9, 2.5, 0, false, false, 0, 0},
		{"covers less", 0.9, 2.5, 0.8, 2.5, 0, true, false, 0.1, 0},
		{"much too wide", 0.9, 2.5, 1, 3.5, 0, false, true, 0, 1},
		{"covers less, from too much", 1, 2.5, 0.8, 2.5, 0, true, false, 0.1, 0},
		{"covers more, where it should", 0.8, 2.5, 1, 2.5, 0, false, false, -0.1, 0},
		{"--max-drop", 0.9, 2.5, 0.85, 2.6, 0.05, false, false, 0.05, 0.1},
		{"beyond --max-drop", 0.9, 2.5, 0.8, 2.65, 0.05, true, true, 0.1, 0.15},
	} {
		now := boundRun(c.covers, c.loses)
		now.Scores[0].AccuracyMean = 0.1
		text := jobtest.Must(json.Marshal(boundRun(c.covered, c.lost)))
		before := jobtest.Must(DecodeWaits(text))
		got := now.Since(before, c.max)
		if len(got.Scores) != 2 || len(got.New)+len(got.Gone) > 0 {
			t.Fatalf("%s: %+v", c.what, got)
		}
		if s := got.Scores[0]; s.Score != "coverage(bmbp)" || s.Fell != c.coverage || s.Nominal != 0.9 || !is(s.Worse, c.farther) {
			t.Errorf("%s: %+v", c.what, s)
		}
		if s := got.Scores[1]; s.Score != "pinball_loss_min(bmbp)" || s.Fell != c.loss || !s.Relative || !is(s.Worse, c.costlier) {
			t.Errorf("%s: %+v", c.what, s)
		}
	}
}
