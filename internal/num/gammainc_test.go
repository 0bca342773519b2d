package num

import (
	"math"
	"testing"
)

func TestGammaIncAgainstMpmath(t *testing.T) {
	for _, g := range readReference(t).Gamma {
		args := []float64{g.A, g.X}
		// A few times the effect on the value of the last bit of x/a and of the exponent.
		tol := 3e-14 + 4*0x1p-53*(g.A-math.Log(g.P)-math.Log(g.Q))
		tol = min(tol, 1e-12)
		checkRelative(t, "GammaP", args, GammaP(g.A, g.X), g.P, tol)
		checkRelative(t, "GammaQ", args, GammaQ(g.A, g.X), g.Q, tol)
	}
}

// same reports whether two numbers are equal or both NaN.
func same(a, b float64) bool { return a == b || a != a && b != b }

func TestGammaIncEnds(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ a, x, p, q float64 }{
		{2, 0, 0, 1},
		{2, inf, 1, 0},
		{0, 1, nan, nan},
		{-1, 1, nan, nan},
		{inf, 1, nan, nan},
		{2, -1, nan, nan},
		{nan, 1, nan, nan},
		{2, nan, nan, nan},
		{2000, 1e5, 1, 0},
		{2000, 1e-5, 0, 1},
	} {
		if got := GammaP(c.a, c.x); !same(got, c.p) {
			t.Errorf("GammaP(%g, %g) = %g, want %g", c.a, c.x, got, c.p)
		}
		if got := GammaQ(c.a, c.x); !same(got, c.q) {
			t.Errorf("GammaQ(%g, %g) = %g, want %g", c.a, c.x, got, c.q)
		}
	}
}

// TestGammaIncSeams checks that P and Q remain monotonic and sum to one where the method of
// computing them changes.
func TestGammaIncSeams(t *testing.T) {
	for _, a := range []float64{0.01, 0.5, 0.999, 1, 3, 9.999, 10, 150, 201, 1e4} {
		lo, hi := max(0, a-4*math.Sqrt(a)), a+4*math.Sqrt(a)+2
		previous := 0.0
		for i := range 4000 {
			x := lo + (hi-lo)*float64(i)/4000
			p, q := GammaP(a, x), GammaQ(a, x)
			if math.Abs(p+q-1) > 1e-13 {
				t.Fatalf("P + Q = %.17g at a = %g, x = %g", p+q, a, x)
			}
			if p < previous-1e-14 {
				t.Fatalf("P falls from %.17g to %.17g at a = %g, x = %g", previous, p, a, x)
			}
			previous = p
		}
	}
}

func TestGammaInverse(t *testing.T) {
	for _, g := range readReference(t).Gamma {
		// An error of eps in P changes x by eps over the condition number x f(x) / P.
		kernel := g.A * GammaKernel(g.A, g.X)
		if g.P <= 0.5 {
			tol := 1e-12 + 2e-12*g.P/kernel
			checkRelative(t, "GammaPInv", []float64{g.A, g.P}, GammaPInv(g.A, g.P), g.X, tol)
		}
		if g.Q <= 0.5 {
			tol := 1e-12 + 2e-12*g.Q/kernel
			checkRelative(t, "GammaQInv", []float64{g.A, g.Q}, GammaQInv(g.A, g.Q), g.X, tol)
		}
	}
}

func TestGammaInverseEnds(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ a, p, x float64 }{
		{2, 0, 0}, {2, 1, inf}, {2, -0.1, nan}, {2, 1.1, nan}, {2, nan, nan}, {nan, 0.5, nan}, {0, 0.5, nan},
		{0.001, 0.1, 0}, // 0.1^1000 underflows
	} {
		if got := GammaPInv(c.a, c.p); !same(got, c.x) {
			t.Errorf("GammaPInv(%g, %g) = %g, want %g", c.a, c.p, got, c.x)
		}
	}
	// Gamma(1) is the exponential law.
	checkRelative(t, "GammaQInv", []float64{1, 1e-300}, GammaQInv(1, 1e-300), 300*math.Ln10, 1e-15)
	checkRelative(t, "GammaPInv", []float64{1, 1e-300}, GammaPInv(1, 1e-300), 1e-300, 2e-13)
}
