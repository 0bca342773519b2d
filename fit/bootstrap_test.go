package fit

import (
	"strings"
	"sync/atomic"
	"testing"
)

// TestEstimateOutsideItsInterval fits run times of whole seconds, 100 of 1 s and 20 of 2 s, by an
// exponential law of mean 7/6 s. Samples from it, rounded and without zeros, are geometric with
// mean 1/(1-exp(-6/7)) = 1.737 s: their interval does not contain 7/6, and the report warns of
// this. Without rounding, the interval contains it.
func TestEstimateOutsideItsInterval(t *testing.T) {
	values := make([]float64, 120)
	for i := range values {
		values[i] = 1
		if i >= 100 {
			values[i] = 2
		}
	}
	const words = "the estimate of mean lies outside its own interval"
	for _, c := range []struct {
		resolution float64
		outside    bool
	}{{0, true}, {-1, false}} {
		var told atomic.Int64
		r := mustFit(t, "exponential", RunTime, NewSample(RunTime, values), Options{Replicates: 199, Intervals: 0.95, Seed: 1, Resolution: c.resolution, Replicated: func() { told.Add(1) }})
		if n := told.Load(); n != 199 {
			t.Errorf("a fit with 199 replicates reported %d", n)
		}
		x := r.Intervals.Of[0]
		if c.outside && !(x.Low < 1.737 && 1.737 < x.High) || !c.outside && !(x.Low < 7./6 && 7./6 < x.High) {
			t.Errorf("resolution %g: interval %g to %g", c.resolution, x.Low, x.High)
		}
		if got := strings.Contains(strings.Join(r.Warnings, "\n"), words); got != c.outside {
			t.Errorf("resolution %g: warned %t, want %t: %q", c.resolution, got, c.outside, r.Warnings)
		}
	}
}
