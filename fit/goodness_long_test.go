//go:build long

package fit

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// TestIntervalCoverageExponential: with many replicates, the percentile interval of the mean m of
// n exponential run times tends to m times the quantiles of a Gamma law of shape n and mean 1, so
// its coverage is known exactly: a little below its level. The noise of the replicates moves the
// ends and costs less than 1 % (ranks 10 and 390 of 399, +-3); the share in 1000 samples is
// tested at 5.33 standard errors in addition.
func TestIntervalCoverageExponential(t *testing.T) {
	const samples, replicates, level, mean = 1000, 399, 0.95, 5000.0
	for _, n := range []int{20, 200} {
		g := dist.Gamma{Shape: float64(n), Scale: 1 / float64(n)}
		low, high := g.Quantile((1-level)/2), dist.InverseSurvival(g, (1-level)/2)
		want := num.GammaP(float64(n), float64(n)/low) - num.GammaP(float64(n), float64(n)/high)
		covered := 0
		for i := range uint64(samples) {
			values := exponentialTimes(mean, n, i)
			r := mustFit(t, "exponential", RunTime, NewSample(RunTime, values), Options{Replicates: replicates, Intervals: level, Seed: i, Resolution: -1})
			if of := r.Intervals.Of[0]; of.Name == "mean" && of.Low <= mean && mean <= of.High {
				covered++
			}
		}
		share := float64(covered) / samples
		t.Logf("n = %d: %.4f of the intervals cover, want %.4f", n, share, want)
		near(t, "coverage", share, want, sigmas*math.Sqrt(want*(1-want)/samples)+0.01)
	}
}

// sigmas is the allowed error of an estimate in standard errors: a normal law exceeds it with
// probability 1e-7, both sides together.
const sigmas = 5.33
