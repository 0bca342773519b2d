package fit

import (
	"errors"
	"strings"
	"testing"
)

// Values of 50 to 100 cut at 100 have a mean of 75, above the 50 that a flat
// law has there: no exponential law is likelier than one with a larger mean.
func TestCutExponentialWithoutMaximum(t *testing.T) {
	var values []float64
	for v := 50.0; v <= 100; v++ {
		values = append(values, v)
	}
	for _, rounding := range []Rounding{NoRounding, RoundedNearest} {
		_, err := Fit("exponential", RunTime, NewSample(RunTime, values), Options{Max: 100, Rounding: rounding})
		var degenerate *DegenerateError
		if !errors.As(err, &degenerate) || !strings.Contains(err.Error(), "want less than half of the limit 100") {
			t.Errorf("rounding %q: %v", rounding, err)
		}
	}
	// Values of 1 to 51 have a mean of 26: the law before the cut has a larger one.
	for i := range values {
		values[i] = float64(i + 1)
	}
	r := mustFit(t, "exponential", RunTime, NewSample(RunTime, values[:51]), Options{Max: 100})
	if m := parameter(t, r, "mean"); !(m > 26 && m < 1000) {
		t.Errorf("mean is %g", m)
	}
}
