package evaluate

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// No earlier result makes its readers panic, and the scores that are taken from
// one are numbers, each within its bounds or without any.
func FuzzBaseline(f *testing.F) {
	f.Add([]byte(`{"schema":"` + WaitsSchema + `","log":{"name":"x","jobs":3},"quantile":0.95,"confidence":0.95,"parameters":"hindsight",` +
		`"options":{"law":"uniform-log","trim":0.1,"months":1,"estimate_factor":0},"scores":[{"predictor":"bmbp","jobs":4,"predicted":3,` +
		`"accuracy_mean":0.5,"accuracy_low":0.4,"accuracy_high":0.6,"coverage":1,"coverage_low":null,"coverage_high":null,` +
		`"correlation_log":null,"correlation_log_low":null,"correlation_log_high":null,"sums":{"jobs":"1f","predicted":"1 2","accuracy":"0.5 1",` +
		`"held":"1 2","log_pairs":"1 2","log_predicted_mean":"1 2","log_actual_mean":"1 2","log_predicted_squares":"0 1","log_actual_squares":"0 1","log_products":"0 1"}}]}`))
	f.Add([]byte(`{"schema":"` + RunTimesSchema + `","log":{"name":"x","jobs":3},"options":{"alpha":0.5,"window":5,"neighbours":5,"quantile":0.95,"confidence":0.95},"fallback":null,` +
		`"scores":[{"classes":"user","predictor":"last2","jobs":4,"predicted":3,"accuracy_mean":0.5,"accuracy_low":0.4,"accuracy_high":0.6}]}`))
	f.Add([]byte(`{"schema":"` + RunTimesSchema + `","scores":[null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := DecodeWaits(data); err == nil {
			checkEarlier(t, r.comparables())
			r.Since(r, DropRule{})
		}
		if r, err := DecodeRunTimes(data); err == nil {
			checkEarlier(t, r.comparables(r))
			r.Since(r, DropRule{})
		}
	})
}

func checkEarlier(t *testing.T, scores []scored) {
	if len(scores) == 0 {
		t.Error("no scores")
	}
	for _, s := range scores {
		if s.name == "" || math.Abs(s.value) > 1+rounding && s.nominal == 0 && !s.relative || s.value < -1-rounding {
			t.Errorf("%+v", s)
		}
		if s.clusters != nil {
			score.Difference(*s.clusters, *s.clusters, score.Sums.CorrelationLog, 39, IntervalLevel, 1)
		}
	}
}

// earlierRun has the accuracies 0.8 of last,user and 0.5 of rm,user.
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

// What a result writes is read back to the same text, and a result is no change
// from itself.
func TestDecodeIsInverse(t *testing.T) {
	r := earlierRun()
	r.Log.Name, r.Log.Jobs = "log.swf", 6
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	back, err := DecodeRunTimes(text)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(back); err != nil || string(again) != string(text) {
		t.Errorf("%v\n%s\n%s", err, again, text)
	}
	c := r.Since(back, DropRule{})
	if len(c.Scores) != 2 || len(c.New)+len(c.Gone)+len(c.Others) > 0 || c.Scores[0].Fell || c.Scores[1].Fell {
		t.Errorf("%+v", c)
	}
	for _, c := range []struct {
		old, new string
		want     error
	}{
		{RunTimesSchema, WaitsSchema, ErrOtherSchema},
		{`"predicted":4`, `"predicted":-7`, ErrDamaged},
		{`"accuracy_mean"`, `"accuracy_median"`, ErrDamaged},
		{`"accuracy_mean":0.8`, `"accuracy_mean":8`, ErrDamaged},
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

// By hand: two clusters of two jobs, with accuracies of 1.6 and 1.6 in all, make 0.8. The
// interval of a fall from 0.9 would have 0 in it.
func TestSumsDisagree(t *testing.T) {
	r := earlierRun()
	r.Scores[0].Sums = &score.Clusters{Sums: []score.Sums{{Predicted: 2, Accuracy: 1.6}, {Predicted: 2, Accuracy: 1.6}}}
	for accuracy, want := range map[float64]error{0.8: nil, 0.9: ErrDamaged, 0.7: ErrDamaged} {
		r.Scores[0].AccuracyMean = stats.Number(accuracy)
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := DecodeRunTimes(text); !errors.Is(err, want) {
			t.Errorf("accuracy %g: %v, want %v", accuracy, err, want)
		}
	}
}

// A bound without a coverage, of jobs that were predicted, could never fall.
func TestNoCoverage(t *testing.T) {
	s := WaitScore{Predictor: "bmbp"}
	s.Jobs, s.Predicted, s.AccuracyMean, s.Coverage, s.CorrelationLog = 6, 4, 0.5, 0.95, stats.Number(math.NaN())
	for coverage, want := range map[string]error{`"coverage":0.95`: nil, `"coverage":null`: ErrDamaged} {
		text, err := json.Marshal(&WaitsResult{Schema: WaitsSchema, Scores: []WaitScore{s}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := DecodeWaits([]byte(strings.Replace(string(text), `"coverage":0.95`, coverage, 1))); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", coverage, err, want)
		}
	}
}

// Falls by hand: 0.8 to 0.75 and to none, without sums.
func TestSince(t *testing.T) {
	now := earlierRun()
	now.Scores[0].AccuracyMean, now.Scores[1].Predictor = 0.75, "sm"
	now.Log.Jobs = 7
	allowed := 0.1
	for _, c := range []struct {
		rule DropRule
		fell bool
	}{{DropRule{}, true}, {DropRule{Most: &allowed}, false}} {
		got := now.Since(earlierRun(), c.rule)
		s := got.Scores[0]
		if s.Score != "accuracy(last,user)" || s.Before != 0.8 || s.Now != 0.75 || s.Fell != c.fell || s.Unsure != (c.rule.Most == nil) {
			t.Errorf("%+v", s)
		}
		if !slices.Equal(got.New, []string{"accuracy(sm,user)"}) || !slices.Equal(got.Gone, []string{"accuracy(rm,user)"}) || !slices.Equal(got.Others, []string{"0 jobs, not 7"}) {
			t.Errorf("%+v", got)
		}
	}
	now.Scores[0].AccuracyMean = stats.Number(math.NaN())
	if got := now.Since(earlierRun(), DropRule{Most: &allowed}); !got.Scores[0].Fell {
		t.Errorf("a score that is gone: %+v", got)
	}
	now.Scores = now.Scores[1:]
	if got := now.Since(earlierRun(), DropRule{}); len(got.Scores) > 0 || !slices.Equal(got.New, []string{"accuracy(sm,user)"}) || !slices.Equal(got.Gone, []string{"accuracy(last,user)", "accuracy(rm,user)"}) {
		t.Errorf("nothing in common: %+v", got)
	}
}

// A run of one bound of the 0.9-quantile of waits, by hand: two weeks of ten jobs, of which
// held waits do not exceed the bound, with those sums of pinball losses (min).
func boundRun(held, losses [2]float64) *WaitsResult {
	s := WaitScore{Predictor: "bmbp", Bound: true}
	s.Jobs, s.Predicted, s.AccuracyMean, s.CorrelationLog = 20, 20, 0.5, stats.Number(math.NaN())
	s.Coverage, s.QuantileLoss = stats.Number((held[0]+held[1])/20), stats.Number((losses[0]+losses[1])/20)
	c := score.Clusters{Jobs: 7}
	for i := range held {
		c.Sums = append(c.Sums, score.Sums{Predicted: 10, Held: held[i], Accuracy: 5, Loss: losses[i]})
	}
	s.Sums = &score.WaitClusters{Clusters: c}
	return &WaitsResult{Schema: WaitsSchema, Quantile: 0.9, Scores: []WaitScore{s}}
}

// Of the same jobs: every draw of the weeks gives the same difference where both weeks
// changed by as much, and draws of either sign where they changed in opposite ways. The
// accuracy of a bound is not compared: a wider bound has a lower one.
func TestSinceOfBounds(t *testing.T) {
	is := func(a stats.Number, b float64) bool { return math.Abs(float64(a)-b) < 1e-9 }
	allowed := 0.05
	for _, c := range []struct {
		what              string
		before, now       *WaitsResult
		most              *float64
		coverage, loss    bool    // are worse
		farther, costlier float64 // by how much
	}{
		{"the same", boundRun([2]float64{9, 9}, [2]float64{20, 30}), boundRun([2]float64{9, 9}, [2]float64{20, 30}), nil, false, false, 0, 0},
		{"covers less", boundRun([2]float64{9, 9}, [2]float64{20, 30}), boundRun([2]float64{8, 8}, [2]float64{20, 30}), nil, true, false, 0.1, 0},
		{"much too wide", boundRun([2]float64{9, 9}, [2]float64{20, 30}), boundRun([2]float64{10, 10}, [2]float64{30, 40}), nil, false, true, 0, 1},
		{"covers less, and as it should", boundRun([2]float64{10, 10}, [2]float64{20, 30}), boundRun([2]float64{9, 9}, [2]float64{20, 30}), nil, false, false, 0, 0},
		{"covers less, from too much", boundRun([2]float64{10, 10}, [2]float64{20, 30}), boundRun([2]float64{8, 8}, [2]float64{20, 30}), nil, true, false, 0.1, 0},
		{"covers more, where it should", boundRun([2]float64{8, 8}, [2]float64{20, 30}), boundRun([2]float64{10, 10}, [2]float64{20, 30}), nil, false, false, -0.1, 0},
		{"chance", boundRun([2]float64{9, 8}, [2]float64{20, 30}), boundRun([2]float64{7, 9}, [2]float64{40, 20}), nil, false, false, 0.05, 0.5},
		{"--max-drop", boundRun([2]float64{9, 9}, [2]float64{20, 30}), boundRun([2]float64{8, 9}, [2]float64{21, 31}), &allowed, false, false, 0.05, 0.1},
		{"beyond --max-drop", boundRun([2]float64{9, 9}, [2]float64{20, 30}), boundRun([2]float64{8, 8}, [2]float64{22, 31}), &allowed, true, true, 0.1, 0.15},
	} {
		c.now.Scores[0].AccuracyMean = 0.1
		text, err := json.Marshal(c.before)
		if err != nil {
			t.Fatal(err)
		}
		before, err := DecodeWaits(text)
		if err != nil {
			t.Fatal(err)
		}
		got := c.now.Since(before, DropRule{Most: c.most, Replicates: 200, Seed: 1})
		if len(got.Scores) != 2 || len(got.New)+len(got.Gone) > 0 {
			t.Fatalf("%s: %+v", c.what, got)
		}
		cover, loss := got.Scores[0], got.Scores[1]
		if cover.Score != "coverage(bmbp)" || cover.Fell != c.coverage || cover.Unsure || cover.Nominal != 0.9 || !is(cover.Worse, c.farther) {
			t.Errorf("%s: %+v", c.what, cover)
		}
		if loss.Score != "pinball_loss_min(bmbp)" || loss.Fell != c.loss || loss.Unsure || !loss.Lower || !is(loss.Worse, c.costlier) {
			t.Errorf("%s: %+v", c.what, loss)
		}
		if c.coverage && c.most == nil && (!is(cover.Low, c.farther) || !is(cover.High, c.farther)) {
			t.Errorf("%s: %+v, want an interval of %g only", c.what, cover, c.farther)
		}
	}
}
