package num

import (
	"math"
	"testing"
)

func TestDigammaAgainstMpmath(t *testing.T) {
	for _, c := range readReference(t).Psi {
		args := []float64{c.X}
		if math.Abs(c.Digamma) < 1e-3 { // near the root the bound is absolute
			if math.Abs(Digamma(c.X)-c.Digamma) > 1e-15 {
				t.Errorf("Digamma(%g) = %g, want %g", c.X, Digamma(c.X), c.Digamma)
			}
		} else {
			checkRelative(t, "Digamma", args, Digamma(c.X), c.Digamma, 3e-14)
		}
		checkRelative(t, "Trigamma", args, Trigamma(c.X), c.Trigamma, 1e-15)
		// Below 12 these two are differences of values of the order of 1.
		tol := 3e-15
		if c.X < 12 {
			tol = 1e-13
		}
		checkRelative(t, "LnMinusDigamma", args, LnMinusDigamma(c.X), c.LnMinusDigamma, tol)
		checkRelative(t, "TrigammaMinusInverse", args, TrigammaMinusInverse(c.X), c.TrigammaMinusInverse, tol)
	}
	for _, x := range []float64{0, -1, math.NaN()} {
		if !math.IsNaN(Digamma(x)) || !math.IsNaN(Trigamma(x)) || !math.IsNaN(LnMinusDigamma(x)) || !math.IsNaN(StirlingError(x)) {
			t.Errorf("a function of %g is a number", x)
		}
	}
}
