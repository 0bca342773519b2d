package fit

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

func TestRank(t *testing.T) {
	report := func(family string, n int64, bic float64) Report {
		return Report{Attribute: Size, By: "all", Family: family, N: n, BIC: stats.Number(bic)}
	}
	reports := []Report{report("a", 90, 40), report("c", 90, 20), report("d", 90, math.Inf(1)), report("e", 90, 25), report("f", 90, 25)}
	rank(reports)
	for i, r := range reports {
		want := []Report{{Family: "c", Place: 1}, {Family: "e", Place: 2, Behind: 5}, {Family: "f", Place: 2, Behind: 5}, {Family: "a", Place: 4, Behind: 20}, {Family: "d", Behind: math.Inf(1)}}[i]
		if r.Family != want.Family || r.Place != want.Place || r.Behind != want.Behind {
			t.Errorf("%s is in place %d, %g behind, want %s in %d, %g", r.Family, r.Place, r.Behind, want.Family, want.Place, want.Behind)
		}
	}
}

// TestRankFamilies checks that for run times, interarrival times and sizes, all families are
// fitted to the same jobs, and the one from which the sample is drawn comes first.
func TestRankFamilies(t *testing.T) {
	for _, c := range []struct {
		attribute Attribute
		values    []float64
		families  []string
		best      string
	}{
		{RunTime, seconds(batch(0.5), 1000, 3, false), []string{"gamma", "hyper-gamma", "exponential", "uniform-log"}, "hyper-gamma"},
		{Interarrival, seconds(dist.Gamma{Shape: 10.23, Scale: 0.4871}, 1000, 4, false), []string{"exponential", "hyper-gamma", "gamma"}, "gamma"},
		{Size, powers(dist.Gamma{Shape: 5, Scale: 0.7}, 1000), []string{"uniform", "uniform-log", "exponential", "gamma"}, "gamma"},
	} {
		values := append(c.values, 0.5, 1, 1) // not in the support of laws of a logarithm
		ranked, failed, err := RankFamilies(c.families, c.attribute, NewSample(c.attribute, values), Options{Resolution: -1})
		if err != nil || len(ranked) != len(c.families) || len(failed) != 0 {
			t.Fatalf("%s: %+v, %v, %v", c.attribute, ranked, failed, err)
		}
		if ranked[0].Family != c.best || ranked[0].Place != 1 || ranked[0].Behind != 0 {
			t.Errorf("%s: %s comes first, want %s", c.attribute, ranked[0].Family, c.best)
		}
		for i, r := range ranked {
			if r.N != ranked[0].N || i > 0 && r.BIC < ranked[i-1].BIC {
				t.Errorf("%s: %s is fitted to %d jobs with %g", c.attribute, r.Family, r.N, r.BIC)
			}
		}
	}
	s := NewSample(RunTime, []float64{60, 60, 60, 60, 60, 60})
	ranked, failed, err := RankFamilies(nil, RunTime, s, Options{})
	if err != nil || len(failed) == 0 || len(ranked) == 0 || len(failed)+len(ranked) != len(Families()) {
		t.Errorf("one value: %d ranked, %d failed, %v", len(ranked), len(failed), err)
	}
	if _, _, err = RankFamilies([]string{"x"}, RunTime, s, Options{}); !errors.As(err, new(*workload.OptionError)) {
		t.Errorf("an unknown family: %v", err)
	}
}

func powers(law dist.Law, n int) []float64 {
	rng := rand.New(rand.NewPCG(6, 6))
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Exp2(law.Rand(rng))
	}
	return x
}
