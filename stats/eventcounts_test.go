package stats

import (
	"math"
	"testing"
)

func TestEventCountsAgainstPandas(t *testing.T) {
	r := readSeriesReference(t)
	for _, want := range r.Counts {
		c := NewEventCounts(want.Width, want.Lags...)
		events, last := 0.0, math.Inf(-1)
		c.Each = func(start, count float64) {
			events += count
			if start <= last || count <= 0 || math.Mod(start, want.Width) != 0 {
				t.Errorf("interval at %v with %v events after one at %v", start, count, last)
			}
			last = start
		}
		for _, at := range r.Events {
			c.Add(at)
		}
		got := c.Finish()
		if float64(got.Width) != want.Width || float64(got.Intervals) != want.Intervals || float64(got.Max) != want.Max || float64(got.MaxStart) != want.MaxStart ||
			!near(float64(got.Mean), want.Mean, 1e-12) || !near(float64(got.Variance), want.Variance, 1e-12) || !near(float64(got.Dispersion), want.Variance/want.Mean, 1e-12) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		for i, k := range want.Lags {
			if r := got.Autocorrelation[i]; r.Lag != k || math.Abs(float64(r.R)-want.R[i]) > 1e-12 {
				t.Errorf("width %v, lag %d: %v, want %v", want.Width, k, got.Autocorrelation[i], want.R[i])
			}
		}
		if events != float64(len(r.Events)) {
			t.Errorf("width %v: %v events were passed on, want %d", want.Width, events, len(r.Events))
		}
	}
}

func TestEventCountsFar(t *testing.T) {
	none := NewEventCounts(300, 1).Finish()
	if !math.IsNaN(float64(none.Mean)) || !math.IsNaN(float64(none.Dispersion)) || !math.IsNaN(float64(none.Max)) || none.Intervals != 0 {
		t.Errorf("no event: %+v", none)
	}
	// Two events a thousand million intervals apart take little time and memory.
	far := NewEventCounts(1, 1)
	far.Add(0)
	far.Add(1e9)
	if s := far.Finish(); s.Intervals != 1e9+1 || s.Max != 1 || !near(float64(s.Dispersion), 1, 1e-6) {
		t.Errorf("far apart: %+v", s)
	}
}
