package board

import (
	"fmt"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/score"
)

// clustersOf returns one cluster of one job for each accuracy.
func clustersOf(accuracies ...float64) (c score.Clusters) {
	for _, a := range accuracies {
		c = append(c, score.Sums{Predicted: 1, Accuracy: a})
	}
	return c
}

// TestBoardByHand compares three predictors on two logs; one has no score on the second. On the
// first log a is better than b by 0.1 for each user, so that every draw has that difference; c
// equals b.
func TestBoardByHand(t *testing.T) {
	nan := math.NaN()
	b := Board{Replicates: 39, Seed: 1, Level: 0.95}
	b.Rank([]Column{
		{Log{"one", 9, 3}, []Entry{
			{"b", "", 0.5, 1, clustersOf(0.4, 0.5, 0.6)},
			{"a", "", 0.6, 1, clustersOf(0.5, 0.6, 0.7)},
			{"c", "", 0.5, 1, clustersOf(0.9, 0.3, 0.3)},
		}},
		{Log{"two", 9, 2}, []Entry{
			{"b", "", 0.3, 1, nil},
			{"a", "", nan, 0, nil},
			{"c", "", 0.2, 0.5, nil},
		}},
	}, score.Sums.AccuracyMean)
	got := ""
	for _, p := range b.Predictors {
		got += fmt.Sprintf("%s: mean rank %g, first on %d of %d logs, mean %.12g\n", p.Predictor, p.MeanRank, p.Firsts, p.Scored, p.Mean)
	}
	// Mean ranks: b (2.5+1)/2, a (1+3)/2, c (2.5+2)/2.
	const want = `b: mean rank 1.75, first on 1 of 2 logs, mean 0.4
a: mean rank 2, first on 1 of 1 logs, mean NaN
c: mean rank 2.25, first on 0 of 2 logs, mean 0.35
`
	if got != want {
		t.Fatalf("%s\nwant\n%s", got, want)
	}
	first, second, third := b.Predictors[0], b.Predictors[1], b.Predictors[2]
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

// TestBoardOfNothing has a log without scores of any predictor.
func TestBoardOfNothing(t *testing.T) {
	var b Board
	b.Rank([]Column{{}, {Log{"one", 9, 3}, []Entry{{"b", "", 0.5, 1, nil}}}}, score.Sums.AccuracyMean)
	if p := b.Predictors; len(p) != 1 || p[0].Scored != 1 || p[0].MeanRank != 1 || p[0].Logs[0].Rank != 1 {
		t.Errorf("%+v", p)
	}
}
