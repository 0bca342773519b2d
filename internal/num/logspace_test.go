package num

import (
	"math"
	"testing"
)

func TestLogarithmsAgainstMpmath(t *testing.T) {
	r := readReference(t)
	for _, c := range r.StirlingError {
		// The value is a term of an exponent, so its absolute error matters.
		if e := math.Abs(StirlingError(c.X) - c.Y); !(e <= 2e-14) {
			t.Errorf("StirlingError(%g) = %g, want %g", c.X, StirlingError(c.X), c.Y)
		}
	}
	for _, c := range r.Log1pmx {
		checkRelative(t, "Log1pmx", []float64{c.X}, Log1pmx(c.X), c.Y, 1e-15)
	}
}

func TestLogAddExp(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ a, b, want float64 }{
		{math.Log(2), math.Log(3), math.Log(5)}, // hand
		{-inf, 3, 3},
		{3, -inf, 3},
		{-inf, -inf, -inf},
		{inf, 3, inf},
		{-2000, -2000, -2000 + math.Ln2},
		{0, 5000, 5000},
		{5000, 0, 5000},
		{700, 710, 710 + math.Log1p(math.Exp(-10))},
	} {
		if got := LogAddExp(c.a, c.b); got != c.want && math.Abs(got-c.want) > 1e-15*math.Abs(c.want) {
			t.Errorf("LogAddExp(%g, %g) = %g, want %g", c.a, c.b, got, c.want)
		}
	}
}
