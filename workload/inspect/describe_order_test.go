package inspect

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Whatever is at most a window late comes out in order; what is later still is
// counted.
func TestOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window := rapid.IntRange(1, 5).Draw(t, "window")
		times := rapid.SliceOfN(rapid.IntRange(-2, 12), 0, 40).Draw(t, "times")
		var out []float64
		o := newOrdered()
		o.buffer = workload.NewOrderBuffer(func(at *float64) float64 { return *at }, func(at *float64) bool {
			o.jobs++
			out = append(out, *at)
			return true
		})
		o.buffer.Window = window
		late := 0 // the most jobs that stand before one and are submitted after it
		for i, at := range times {
			after := 0
			for _, before := range times[:i] {
				if before > at {
					after++
				}
			}
			late = max(late, after)
			// In slabs of one, so that every place of a slab's end is tried.
			o.add(&slab{submit: []float64{float64(at)}})
		}
		o.add(&slab{submit: []float64{math.NaN()}})
		o.buffer.Finish()
		if !slices.IsSorted(out) {
			t.Fatalf("times %v by a window of %d: out of order: %v", times, window, out)
		}
		if int(o.jobs) != len(out) || len(out)+int(o.leftOut) != len(times) {
			t.Fatalf("%d passed on, %d left out of %d", len(out), o.leftOut, len(times))
		}
		if late <= window && o.leftOut > 0 {
			t.Fatalf("times %v: %d left out, though none is more than %d late", times, o.leftOut, window)
		}
	})
}
