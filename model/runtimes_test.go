package model

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/dist"
)

func TestDowneySByHand(t *testing.T) {
	for _, tt := range []struct{ n, a, sigma, want float64 }{
		{1, 64, 0, 1}, {32, 64, 0, 32}, {64, 64, 0, 64}, {100, 64, 0, 64}, // the hardware limit, then the software limit
		{1, 64, 0.5, 1},
		{11, 10, 0.5, 110 / (0.5*9.5 + 11*0.75)}, // between A and 2A-1
		{5, 10, 0.5, 50 / 11.0},                  // A + 0.5*4/2
		{19, 10, 0.5, 10}, {40, 10, 0.5, 10},     // 2A-1 and beyond
		{5, 10, 2, 150 / 38.0},             // 5*10*3 / (10 + 20 - 2 + 10)
		{28, 10, 2, 10}, {1000, 10, 2, 10}, // A + A s - s
		{7, 1, 0.7, 1}, {7, 1, 3, 1}, // nothing to share
	} {
		if got := DowneyS(tt.n, tt.a, tt.sigma); math.Abs(got-tt.want) > 1e-14*tt.want {
			t.Errorf("S(%g) with A %g and sigma %g is %.17g, want %.17g", tt.n, tt.a, tt.sigma, got, tt.want)
		}
	}
	// As sigma grows, S tends to A n / (A + n - 1).
	if got, want := DowneyS(9, 20, 1e12), 20*9/28.0; math.Abs(got-want) > 1e-10 {
		t.Errorf("S(9) with A 20 and sigma 1e12 is %g, want %g", got, want)
	}
}

// S is 1 on one processor, never falls, never exceeds n or A, is continuous at
// its breaks, and both regimes agree at sigma 1.
func TestDowneySProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, sigma := rapid.Float64Range(1, 500).Draw(t, "a"), rapid.Float64Range(0, 5).Draw(t, "sigma")
		if s := DowneyS(1, a, sigma); math.Abs(s-1) > 1e-12 {
			t.Errorf("S(1) is %g", s)
		}
		last := 0.0
		for n := 1.0; n < 4*a+10; n++ {
			s := DowneyS(n, a, sigma)
			if s < last*(1-1e-12) || s > min(n, a)*(1+1e-12) {
				t.Fatalf("S(%g) is %g after %g", n, s, last)
			}
			last = s
		}
		breaks := []float64{a, 2*a - 1}
		if sigma > 1 {
			breaks = []float64{a + a*sigma - sigma}
		}
		for _, b := range breaks {
			lo, hi := DowneyS(b*(1-1e-9), a, sigma), DowneyS(b*(1+1e-9), a, sigma)
			if math.Abs(hi-lo) > 1e-7*a {
				t.Errorf("S jumps from %g to %g at %g", lo, hi, b)
			}
		}
		for _, n := range []float64{1, a, 1.5 * a, 3 * a} {
			if one, more := DowneyS(max(1, n), a, 1), DowneyS(max(1, n), a, math.Nextafter(1, 2)); math.Abs(one-more) > 1e-9*one {
				t.Errorf("at sigma 1 and n %g: %g and %g", n, one, more)
			}
		}
	})
}

// The mean of a truncated law of seconds agrees with integrals by hand.
func TestSecondsMean(t *testing.T) {
	for _, tt := range []struct {
		law       dist.Law
		max, want float64
	}{
		{dist.Exponential{Mean: 10}, 0, 10},
		{dist.Exponential{Mean: 10}, 10, 10 * (1 - 2/math.E) / (1 - 1/math.E)},
		{dist.Pareto{XMin: 1, Alpha: 1}, math.E, 1 / (1 - 1/math.E)}, // the integral of x/x^2
		{dist.UniformLog{TMin: 1, TMax: 100}, 1000, 99 / math.Log(100)},
		{dist.Uniform{Low: 2, High: 4}, 3, 2.5},
	} {
		if got := secondsMean(tt.law, tt.max); math.Abs(got-tt.want) > 1e-10*tt.want {
			t.Errorf("mean of %v up to %g is %.9g, want %.9g", tt.law, tt.max, got, tt.want)
		}
	}
}

// The quantile at u = 1 is the largest run time, even if all jobs are from one of the two laws.
func TestLargestQuantile(t *testing.T) {
	r := preset(t, Lublin1999).Classes[0].RunTimes.(*GammaRunTimes)
	r.Law.MaxLn = 5 // both laws have times above it
	for _, p := range []float64{0, 0.5, 1} {
		r.Line = Line{PIntercept: p}
		if got, want := r.Quantiles()(1, 1), math.Exp(5); !(math.Abs(got-want) < 1e-9*want) {
			t.Errorf("p %g: %g, want %g", p, got, want)
		}
	}
}
