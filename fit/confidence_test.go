package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// TestIntervalsByHand: with 19 replicates the 90 % interval is from the smallest to the largest,
// with 39 the 95 % interval; between ranks values are interpolated.
func TestIntervalsByHand(t *testing.T) {
	values := make([]float64, 19)
	for i := range values {
		values[i] = float64((i*7)%19 + 1) // 1 to 19 in another order
	}
	for _, c := range []struct{ level, low, high float64 }{
		{0.9, 1, 19}, {0.8, 2, 18}, {0.5, 5, 15}, {0.85, 1.5, 18.5}, {0.99, 1, 19},
	} {
		low, high := Percentiles(values, c.level)
		near(t, "low", low, c.low, 1e-9)
		near(t, "high", high, c.high, 1e-9)
	}
	for level, want := range map[float64]int{0.9: 19, 0.95: 39, 0.99: 199, 0.5: 3} {
		if got := FewestReplicates(level); got != want {
			t.Errorf("level %g needs %d replicates, want %d", level, got, want)
		}
	}
}

// TestNoIntervalOfRSquared: samples from a law that is a straight line have an R² near 1, so
// their interval does not apply to the R² of jobs that do not follow it: here the jobs are in two
// clumps, and R² is far below.
func TestNoIntervalOfRSquared(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	values := make([]float64, 2000)
	for i := range values {
		values[i] = 10 * math.Exp(.1*rng.Float64())
		if i%2 == 1 {
			values[i] *= 1000
		}
	}
	r := mustFit(t, "uniform-log", RunTime, NewSample(RunTime, values), Options{Replicates: 39, Intervals: 0.95, Resolution: -1})
	if at := parameter(t, r, "r_squared"); at > .9 {
		t.Errorf("R² = %g for two clumps", at)
	}
	if i, ok := r.Interval("r_squared"); ok {
		t.Errorf("R² has the interval %g to %g", i.Low, i.High)
	}
	for _, name := range []string{"intercept", "slope", "t_min_s", "t_max_s"} {
		if _, ok := r.Interval(name); !ok {
			t.Errorf("%s has no interval", name)
		}
	}
}

// exponentialTimes returns n run times from an exponential law.
func exponentialTimes(mean float64, n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 12))
	x := make([]float64, n)
	for i := range x {
		x[i] = dist.Exponential{Mean: mean}.Rand(rng)
	}
	return x
}

// TestIntervalExponential checks that the percentile interval of a mean is close to the one from
// the exact law of the mean, a Gamma of shape n. The ends have ranks 25 and 975 of 999, with a
// standard error of 5; 5.33 standard errors give the ranks 1 and 52.
func TestIntervalExponential(t *testing.T) {
	const n, replicates = 100, 999
	r := mustFit(t, "exponential", RunTime, NewSample(RunTime, exponentialTimes(5000, n, 1)), Options{Replicates: replicates, Intervals: 0.95, Resolution: -1})
	law := dist.Gamma{Shape: n, Scale: parameter(t, r, "mean") / n}
	of := r.Intervals.Of[0]
	if low, high := law.CDF(float64(of.Low)), law.Survival(float64(of.High)); of.Name != "mean" || low < 0.001 || low > 0.052 || high < 0.001 || high > 0.052 {
		t.Errorf("%+v has tails of %g and %g, want 0.025", of, low, high)
	}
}
