package evaluate

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// clustersOf has one cluster a number, of one job each.
func clustersOf(accuracies ...float64) *score.Clusters {
	c := &score.Clusters{Jobs: uint64(len(accuracies))}
	for _, a := range accuracies {
		c.Sums = append(c.Sums, score.Sums{Predicted: 1, Accuracy: a})
	}
	return c
}

// TestBoardByHand: two logs of three predictors, one without a score on the second. On
// the first log a is better than b by 0.1 for each user, so that every draw has that
// difference; c equals b.
func TestBoardByHand(t *testing.T) {
	nan := math.NaN()
	b := Board{Higher: true, Replicates: 39, Seed: 1}
	b.board([]boardColumn{
		{BoardLog{"one", 9, 3}, []boardEntry{
			{"b", "", 0.5, 1, clustersOf(0.4, 0.5, 0.6)},
			{"a", "", 0.6, 1, clustersOf(0.5, 0.6, 0.7)},
			{"c", "", 0.5, 1, clustersOf(0.9, 0.3, 0.3)},
		}},
		{BoardLog{"two", 9, 2}, []boardEntry{
			{"b", "", 0.3, 1, nil},
			{"a", "", nan, 0, nil},
			{"c", "", 0.2, 0.5, nil},
		}},
	}, score.Sums.AccuracyMean)
	var names []string
	for _, p := range b.Predictors {
		names = append(names, p.Predictor)
	}
	// Mean ranks: b (2.5+1)/2, a (1+3)/2, c (2.5+2)/2.
	if got := strings.Join(names, " "); got != "b a c" || b.Predictors[0].MeanRank != 1.75 || b.Predictors[1].MeanRank != 2 || b.Predictors[2].MeanRank != 2.25 {
		t.Fatalf("%+v", b.Predictors)
	}
	first, second, third := b.Predictors[0], b.Predictors[1], b.Predictors[2]
	if first.Firsts != 1 || first.Scored != 2 || first.Mean != 0.4 || second.Firsts != 1 || second.Scored != 1 || !math.IsNaN(float64(second.Mean)) {
		t.Errorf("%+v, %+v", first, second)
	}
	near := func(x, want float64) bool { return math.Abs(x-want) < 1e-12 }
	if s := first.Logs[0]; !near(float64(s.Behind), -0.1) || !near(float64(s.BehindLow), -0.1) || !near(float64(s.BehindHigh), -0.1) || s.Level() {
		t.Errorf("b on log one: %+v, want 0.1 behind in every draw", s)
	}
	if s := third.Logs[0]; !(s.BehindLow < -0.1 && s.BehindHigh > 0) || !s.Level() {
		t.Errorf("c on log one: %+v, want a wide interval", s)
	}
	if s := second.Logs[1]; s.Rank != 3 || !math.IsNaN(float64(s.Score)) || !math.IsNaN(float64(s.Behind)) {
		t.Errorf("a on log two: %+v", s)
	}
}

// TestBoardOfNothing: a log that says nothing of any predictor.
func TestBoardOfNothing(t *testing.T) {
	var b Board
	b.board([]boardColumn{{}, {BoardLog{"one", 9, 3}, []boardEntry{{"b", "", 0.5, 1, nil}}}}, score.Sums.AccuracyMean)
	if p := b.Predictors; len(p) != 1 || p[0].Scored != 1 || p[0].MeanRank != 1 || p[0].Logs[0].Rank != 1 {
		t.Errorf("%+v", p)
	}
}

// TestSampleLosses: by hand, of a sample of one job a day in twelve days. A 0.9-quantile
// of 10 s loses 0.9 s more for each second above it, and 0.1 for each below.
func TestSampleLosses(t *testing.T) {
	var s Sample
	var said []score.Forecast
	common := make([]bool, 12)
	for i := range 12 {
		s.jobs = append(s.jobs, score.ForecastJob{Submit: 86400 * float64(i), Actual: float64(2 * i)})
		said = append(said, score.Forecast{Bound: 10})
		common[i] = i != 3
	}
	c := s.losses(said, 0.9, common)
	// 0 to 8 s without 6: 0.1 (10+8+6+2); 10 s: 0; 12 to 22 s: 0.9 (2+4+...+12).
	if whole := (0.1*26 + 0.9*42) / 11 / 60; len(c.Sums) != 11 || math.Abs(sumOf(c)-whole) > 1e-12 {
		t.Errorf("%d days with a mean of %g min, want 11 with %g", len(c.Sums), sumOf(c), whole)
	}
	if s.jobs = s.jobs[:5]; s.losses(said[:5], 0.9, common[:5]) != nil {
		t.Error("five days have an interval")
	}
}

// sumOf is the mean loss over all clusters.
func sumOf(c *score.Clusters) float64 {
	var whole score.Sums
	for _, s := range c.Sums {
		whole.Predicted += s.Predicted
		whole.Accuracy += s.Accuracy
	}
	return lossMean(whole)
}

// TestRunTimesBoard: the board has each log's own scores, whatever the order in which
// they come, and the error of the first log that has one.
func TestRunTimesBoard(t *testing.T) {
	logs := map[string]string{"x": jobsOfTwo, "y": strings.ReplaceAll(jobsOfTwo, " 400 1 ", " 300 1 "), "none": "; UnixStartTime: 0\n"}
	one := func(ctx context.Context, name string, o RunTimesOptions) (*RunTimesResult, error) {
		log, err := logfile.OpenReader(name, strings.NewReader(logs[name]), workload.Options{})
		if err != nil {
			return nil, err
		}
		return RunTimes(ctx, log, o)
	}
	o := RunTimesOptions{Predictors: []string{"last", "rm"}, Classes: []string{"user", "all"}, Rules: runtime.Options{}, Replicates: 39, Seed: 1}
	b, err := RunTimesBoard(context.Background(), []string{"x", "y"}, o, one)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Predictors) != 4 || len(b.Logs) != 2 || b.Logs[1].Name != "y" || b.Logs[0].Jobs != 4 || b.Logs[0].Common != 2 {
		t.Fatalf("%+v", b)
	}
	for k, name := range []string{"x", "y"} {
		r, err := one(context.Background(), name, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range b.Predictors {
			if s := r.Score(p.Predictor, p.Classes); p.Logs[k].Score != s.AccuracyCommon || p.Logs[k].Coverage != s.Coverage {
				t.Errorf("%s,%s on %s: %+v, want %+v", p.Predictor, p.Classes, name, p.Logs[k], s)
			}
		}
	}
	if _, err := RunTimesBoard(context.Background(), []string{"x", "none"}, o, one); err == nil || !strings.Contains(err.Error(), "none: no job has a run time") {
		t.Error(err)
	}
}
