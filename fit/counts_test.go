package fit

import (
	"math"
	"testing"
)

// TestWeibullMLOfTwoValues: for the values a and 1/a, with y = ln a, the maximum-likelihood shape
// c solves c y tanh(c y) = 1 by symmetry: c y is 1.19967864025773 (the root of z tanh z = 1, the
// Laplace limit's constant in OEIS A085984), and the scale is cosh(c y)^(1/c).
func TestWeibullMLOfTwoValues(t *testing.T) {
	const z = 1.19967864025773
	for _, y := range []float64{0.01, 1, 50} {
		got, ok := weibullML([]float64{math.Exp(-y), math.Exp(y)}, []float64{1, 1}, y)
		if !ok {
			t.Fatalf("no distribution of values %g apart", 2*y)
		}
		relative(t, "shape", got.Shape, z/y, 1e-11)
		relative(t, "scale", got.Scale, math.Exp(math.Log(math.Cosh(z))*y/z), 1e-11)
	}
}

func TestLnRatio(t *testing.T) {
	for _, c := range [][3]float64{
		{1 + 1e-9, 1, 1e-9 - 5e-19},                                 // ln(1+e) = e - e²/2
		{1e200, 1e-200, 400 * math.Ln10},                            // a/b overflows
		{math.MaxFloat64, math.MaxFloat64 / 2, math.Ln2}, {3, 3, 0}, // no rounding
	} {
		relative(t, "ln ratio", lnRatio(c[0], c[1]), c[2], 1e-7)
	}
}
