package score

import (
	"math"
	"testing"
)

// Two clusters of two jobs each, with accuracies of 1/2 and 1 before and 0.4 and
// 0.9 now. On the same jobs every draw loses 0.1. Drawn apart, the run before
// has 0.5, 0.75 or 1 and this one 0.4, 0.65 or 0.9, with probabilities 1/4, 1/2
// and 1/4: the ends of 95 % are the extremes, which have 1/16 each.
func TestDifferenceByHand(t *testing.T) {
	of := func(jobs uint64, accuracies ...float64) Clusters {
		c := Clusters{Jobs: jobs}
		for _, a := range accuracies {
			c.Sums = append(c.Sums, Sums{Predicted: 2, Held: 1, Accuracy: 2 * a})
		}
		return c
	}
	same := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 || math.IsNaN(a) && math.IsNaN(b) }
	nan := math.NaN()
	for _, c := range []struct {
		name        string
		before, now Clusters
		of          func(Sums) float64
		want        Interval
	}{
		{"same jobs", of(7, 0.5, 1), of(7, 0.4, 0.9), Sums.AccuracyMean, Interval{-0.1, -0.1, -0.1}},
		{"other jobs", of(7, 0.5, 1), of(8, 0.4, 0.9), Sums.AccuracyMean, Interval{-0.1, -0.6, 0.4}},
		{"held", of(7, 0.5, 1), of(7, 0.4, 0.9), Sums.HeldShare, Interval{0, 0, 0}},
		{"one cluster", of(7, 0.5), of(7, 0.4), Sums.AccuracyMean, Interval{-0.1, nan, nan}},
		{"none before", Clusters{}, of(7, 0.4, 1), Sums.AccuracyMean, Interval{nan, nan, nan}},
		{"no correlation", of(7, 0.5, 1), of(7, 0.4, 0.9), Sums.CorrelationLog, Interval{nan, nan, nan}},
	} {
		got := Difference(c.before, c.now, c.of, 1000, 0.95, 1)
		if !same(got.Mean, c.want.Mean) || !same(got.Low, c.want.Low) || !same(got.High, c.want.High) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Clusters say whether two runs scored the same jobs, predicted or not.
func TestClustersSame(t *testing.T) {
	for _, waits := range []bool{false, true} {
		of := func(cluster int64, predicted, actual float64) Clusters {
			b := blocks{Groups{Waits: waits}}
			b.add(1, 5, 10)
			b.add(cluster, predicted, actual)
			b.add(cluster, 1, math.NaN())
			return b.Clusters(0)
		}
		base := of(2, 20, 40)
		if len(base.Sums) != 2 || base.Sums[0].Accuracy != 0.5 || base.Sums[1].Accuracy != 0.5 || base.Sums[1].Predicted != 1 {
			t.Errorf("%v: %+v", waits, base)
		}
		for _, c := range []struct {
			what string
			got  Clusters
			same bool
		}{
			{"another prediction", of(2, 30, 40), true},
			{"no prediction", of(2, math.NaN(), 40), true},
			{"another time", of(2, 20, 41), false},
			{"another cluster", of(1, 20, 40), false},
		} {
			if base.Same(c.got) != c.same {
				t.Errorf("%v, %s: %+v and %+v, want the same jobs: %v", waits, c.what, base, c.got, c.same)
			}
		}
	}
}
