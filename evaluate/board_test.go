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
