package score

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// TestRunTimeCommon has three predictors: the second predicts from the second job on and misses
// the fourth, and the third predicts nothing. The expected values are worked out by hand.
func TestRunTimeCommon(t *testing.T) {
	var c RunTimeCommon
	var u Groups
	for _, j := range []struct {
		first, second float64
		actual        float64
		want          CommonJob
	}{
		{50, nan, 100, CommonJob{All: true, Voids: true}}, // so far only the first predictor counts
		{25, 100, 100, CommonJob{All: true, Voids: true}}, // no longer
		{50, 50, 100, CommonJob{All: true}},
		{100, nan, 100, CommonJob{}},
		{nan, nan, 100, CommonJob{}},
		{100, 100, nan, CommonJob{}},
		{100, 25, 100, CommonJob{All: true}},
	} {
		p := said(j.first, j.second, nan)
		got := c.Add(p, j.actual)
		if got != j.want {
			t.Errorf("%v: %+v, want %+v", j, got, j.want)
		}
		u.Add(1, p, j.actual, got)
	}
	// 1/4, 1/2, 1 and 1, 1/2, 1/4.
	const want = 1.75 / 3
	if c.Jobs() != 3 || c.AccuracyMean(0) != want || c.AccuracyMean(1) != want || !math.IsNaN(c.AccuracyMean(2)) || c.Answered(2) {
		t.Errorf("%d jobs, %g, %g, %g", c.Jobs(), c.AccuracyMean(0), c.AccuracyMean(1), c.AccuracyMean(2))
	}
	if in := u.RunTimeIntervals(3, 0, 0.95, 1); in[0].Common.Mean != want || in[1].Common.Mean != want || !math.IsNaN(in[2].Common.Mean) {
		t.Errorf("intervals %+v", in)
	}
	if s := u.CommonClusters(1); len(s) != 1 || s[0].Predicted != 3 || s[0].Accuracy != 1.75 {
		t.Errorf("clusters %+v", s)
	}
	if s := u.Parts()[0].Scores; s[0].CommonJobs != 3 || s[0].AccuracyCommon != want || s[2].CommonJobs != 0 {
		t.Errorf("parts %+v", s)
	}
}

// TestRunTimeCommonDefinition compares with the definition: the jobs that every predictor with
// any prediction predicted. One predictor is excluded.
func TestRunTimeCommonDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		c := RunTimeCommon{Aside: []bool{false, false, true, false}}
		from := []int{rng.IntN(10), rng.IntN(20), 0, rng.IntN(40)} // the last may predict nothing
		var all [][]workload.Prediction
		for i := range 30 {
			p := said(100, 100, 100, 100)
			for k := range p {
				if i < from[k] || rng.IntN(4) == 0 {
					p[k].Seconds = nan
				}
			}
			all = append(all, p)
			c.Add(p, 50)
		}
		answered := func(k int) bool {
			return k != 2 && slices.ContainsFunc(all, func(p []workload.Prediction) bool { return finite(p[k].Seconds) })
		}
		want := 0
		for _, p := range all {
			if !slices.ContainsFunc([]int{0, 1, 3}, func(k int) bool { return answered(k) && !finite(p[k].Seconds) }) {
				want++
			}
		}
		if c.Jobs() != want || c.Answered(3) != answered(3) || c.Answered(2) {
			t.Fatalf("%d common jobs, want %d of %v", c.Jobs(), want, all)
		}
	}
}
