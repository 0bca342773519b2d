package plan

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Pool adjacent violators by hand: 3 and 1 pool to 2; 5, 4, 3 to 4.
func TestAscend(t *testing.T) {
	y := []float64{3, 1, 2.5, 5, 4, 3, 9}
	ascend(y)
	if want := []float64{2, 2, 2.5, 4, 4, 4, 9}; !slices.Equal(y, want) {
		t.Errorf("ascending: %v, want %v", y, want)
	}
}

// Jobs that wait twice as long as forecast, in seconds more than one: so are the corrected
// forecasts, between the knots and beyond them. With less than a hundred nothing changes.
func TestCurveLearnsAFactor(t *testing.T) {
	var o outcomes
	for i := range 500 {
		if i == 99 {
			c := o.curve(0.5, true)
			if got := c.of(1234); got != 1234 {
				t.Errorf("after 99 outcomes 1234 s are %g s", got)
			}
		}
		said := math.Exp(float64(i%100)/10) - 1 // up to 20,000 s
		o.add(outcome{said, 2*said + 1})
	}
	for _, within := range []bool{false, true} {
		c := o.curve(0.5, within)
		for _, x := range []float64{0, 10, 333, 20_000, 1e6} {
			if got, want := c.of(x), 2*x+1; math.Abs(got/want-1) > 0.08 { // a knot each 0.1 in logarithm
				t.Errorf("within %v: %g s are corrected to %g s, want %g s", within, x, got, want)
			}
		}
		if got := c.of(math.Inf(1)); !math.IsInf(got, 1) {
			t.Errorf("no end in sight is corrected to %g s", got)
		}
	}
}

// Of forecasts of 100 s, one in ten waits ten times as long: the 0.95 bound covers those,
// the median stays.
func TestCurveOfABound(t *testing.T) {
	var o outcomes
	for i := range 200 {
		x := outcome{100, 100}
		if i%10 == 0 {
			x.was = 1009 // ten times as long, in seconds more than one
		}
		o.add(x)
	}
	median, bound := o.curve(0.5, true), o.curve(0.95, false)
	if got := median.of(100); math.Abs(got-100) > 1e-9 {
		t.Errorf("the median is %g s, want 100 s", got)
	}
	if got := bound.of(100); math.Abs(got-1009) > 1e-6 {
		t.Errorf("the bound is %g s, want 1009 s", got)
	}
}

// What few outcomes far away say of seconds does not count for hours.
func TestExpectedWaitsAreCorrectedWithinAFactor(t *testing.T) {
	var o outcomes
	for range 300 {
		o.add(outcome{0, 9}) // ten times as long, in seconds more than one
	}
	o.add(outcome{36_000, 36_000})
	c := o.curve(0.5, true)
	if got := c.of(0); math.Abs(got-9) > 1e-9 {
		t.Errorf("0 s are %g s, want 9 s", got)
	}
	if got := c.of(36_000); math.Abs(got-36_000) > 1e-6 {
		t.Errorf("36000 s are %g s, want as forecast", got)
	}
}

// The ring forgets what is older than its last outcomes.
func TestOutcomesForget(t *testing.T) {
	var o outcomes
	for range 5000 {
		o.add(outcome{100, 1e6})
	}
	for range remembered {
		o.add(outcome{100, 100})
	}
	c := o.curve(0.95, false)
	if got := c.of(100); math.Abs(got-100) > 1e-9 || len(o.ring) != remembered {
		t.Errorf("100 s are %g s, of %d outcomes", got, len(o.ring))
	}
}

func TestCurveAscends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, 100), rapid.Float64Range(0, 1e6))
		var o outcomes
		for range rapid.IntRange(100, 300).Draw(t, "n") {
			o.add(outcome{seconds.Draw(t, "said"), seconds.Draw(t, "was")})
		}
		c := o.curve(rapid.SampledFrom([]float64{0.5, 0.8, 0.95}).Draw(t, "q"), rapid.Bool().Draw(t, "within"))
		a, b := seconds.Draw(t, "a"), seconds.Draw(t, "b")
		if a > b {
			a, b = b, a
		}
		if x, y := c.of(a), c.of(b); !(x >= 0 && x <= y) {
			t.Fatalf("%g s are %g s, %g s are %g s", a, x, b, y)
		}
	})
}
