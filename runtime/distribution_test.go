package runtime

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/stats"
)

// drawDistribution draws the distribution that a Kernel with some history gives for a request.
func drawDistribution(rt *rapid.T) Distribution {
	k := NewKernel(stats.ByAccuracy, 0.95)
	jobs := drawRequested(rt)
	for _, j := range jobs {
		k.Predict(&j.Request)
		k.Observe(&j)
	}
	d, ok := k.Distribution(&jobs[rapid.IntRange(0, len(jobs)-1).Draw(rt, "request")].Request)
	if !ok {
		rt.Fatal("no distribution after jobs have ended")
	}
	return d
}

// TestDistribution checks that quantiles increase, that survival decreases, and that they are
// inverse to each other.
func TestDistribution(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := drawDistribution(rt)
		before := 0.0
		for _, q := range []float64{1e-6, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 1 - 1e-6} {
			x := d.Quantile(q)
			if !(x >= before) || math.IsInf(x, 0) {
				rt.Fatalf("the %g-quantile is %g, that before it %g", q, x, before)
			}
			before = x
			if s := d.Survival(x * (1 + 1e-9)); s > 1-q+1e-6 {
				rt.Fatalf("%g of jobs run longer than the %g-quantile, %g s", s, q, x)
			}
			if s := d.Survival(x*(1-1e-9) - 1e-12); x > 0 && s < 1-q-1e-6 {
				rt.Fatalf("%g of jobs run longer than just below the %g-quantile, %g s", s, q, x)
			}
		}
		if d.Survival(-1) != 1 || d.Survival(math.Inf(1)) != 0 {
			rt.Fatal("survival does not go from 1 to 0")
		}
	})
}

// TestDistributionByHand has two jobs of 10 and 30 s with equal weight, where the longest run time
// so far is 30 s: an effective number of 2, with a sixth in either tail, the upper one extending to
// 60 s.
func TestDistributionByHand(t *testing.T) {
	d := Distribution{values: []float64{10, 30}, weights: []float64{0.5, 0.5}}
	d.setTails(30)
	d.logits = kernelLogits
	for _, c := range []struct{ q, want float64 }{
		{1. / 12, math.Sqrt(11) - 1}, {0.3, 10}, {0.49, 10}, {0.51, 30}, {5. / 6, 30}, {11. / 12, math.Sqrt(31*61) - 1},
	} {
		if got := d.Quantile(c.q); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("the %g-quantile is %g, want %g", c.q, got, c.want)
		}
	}
	for _, c := range []struct{ t, want float64 }{{0, 1}, {math.Sqrt(11) - 1, 11. / 12}, {10, 0.5}, {29, 0.5}, {30, 1. / 6}, {math.Sqrt(31*61) - 1, 1. / 12}, {60, 0}} {
		if got := d.Survival(c.t); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("Survival(%g) = %g, want %g", c.t, got, c.want)
		}
	}
	if !slices.Equal(d.values, []float64{10, 30}) {
		t.Error("the distribution was altered")
	}
}
