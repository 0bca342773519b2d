//go:build long

package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// TestCensoredBootstrapUniformLong: p-values of samples of the family, killed
// at limits of their own, are uniform: of 300, spread over their steps, the
// distance from the uniform law is tested by Massart's bound at 1e-6.
func TestCensoredBootstrapUniformLong(t *testing.T) {
	const samples, replicates = 300, 99
	rng := rand.New(rand.NewPCG(9, 9))
	bound := math.Sqrt(math.Log(2/1e-6) / (2 * samples))
	for _, rounding := range []Rounding{NoRounding, RoundedDown} {
		var p, kind []float64
		for i := range uint64(samples) {
			s := killedSample(dist.Weibull{Shape: 0.7, Scale: 1500}, 200, i)
			ks := mustFit(t, "weibull", RunTime, s, Options{Rounding: rounding, Censored: true, Replicates: replicates, Seed: i}).KS
			p = append(p, float64(ks.PValue)-rng.Float64()/(replicates+1))
			kind = append(kind, float64(ks.Asymptotic))
		}
		d := uniformDistance(p)
		t.Logf("rounding %q: %.4f from uniform, bound %.4f; the asymptotic ones %.4f", rounding, d, bound, uniformDistance(kind))
		if d > bound {
			t.Errorf("p-values are %.4f from uniform, want at most %.4f", d, bound)
		}
		if d := uniformDistance(kind); d < bound {
			t.Errorf("asymptotic p-values are %.4f from uniform: the test tells nothing", d)
		}
	}
}

// TestCensoredCoverageLong: the percentile interval of an exponential mean,
// with half of the jobs under limits, covers it in 400 samples as often as its
// level, 0.9, less 2 % for its skewness at this size, within 5.33 standard
// errors.
func TestCensoredCoverageLong(t *testing.T) {
	const samples, mean, level = 400, 2000.0, 0.9
	covered := 0.0
	for i := range uint64(samples) {
		s := killedSample(dist.Exponential{Mean: mean}, 300, i)
		r := mustFit(t, "exponential", RunTime, s, Options{Rounding: RoundedDown, Censored: true, Replicates: 99, Intervals: level, Seed: i})
		if of := r.Intervals.Of[0]; of.Low <= mean && mean <= of.High {
			covered++
		}
	}
	share := covered / samples
	t.Logf("%.4f of the intervals cover", share)
	near(t, "coverage", share, level, 0.02+sigmas*math.Sqrt(level*(1-level)/samples))
}
