package fit

import (
	"sync/atomic"
	"testing"
)

// TestReplicated: each replicate of a bootstrap is told once, also of a
// comparison of two series, whose refits are not told on top.
func TestReplicated(t *testing.T) {
	var told atomic.Int64
	o := Options{Replicates: 50, Seed: 1, Replicated: func() { told.Add(1) }}
	values := make([]float64, 300)
	for i := range values {
		values[i] = float64(1 + i*i)
	}
	if _, err := Fit("exponential", RunTime, NewSample(RunTime, values), o); err != nil {
		t.Fatal(err)
	}
	if n := told.Swap(0); n != 50 {
		t.Errorf("a fit with 50 replicates told of %d", n)
	}
	s := Series{Label: "a", Attribute: RunTime, Values: values, Stride: 1, Jobs: 300}
	c := CompareOptions{Fit: Options{Replicated: o.Replicated}, Family: "exponential", Replicates: 99, Level: 0.95, Seed: 1}
	if _, err := Compare(s, s, c); err != nil {
		t.Fatal(err)
	}
	if n := told.Load(); n != 2*99 {
		t.Errorf("two series with 99 replicates each told of %d", n)
	}
}
