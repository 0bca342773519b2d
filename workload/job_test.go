package workload

import (
	"math"
	"testing"
)

// Units are processors where they are known, then GPUs, then nodes.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		processors, size, gpus, nodes, want int64
	}{
		{4, 8, 2, 1, 4},
		{Unknown, 8, 2, 1, 8},
		{0, Unknown, 2, 1, 2},
		{Unknown, Unknown, 0, 3, 3},
		{Unknown, Unknown, Unknown, Unknown, Unknown},
	} {
		r := UnknownJob().Request
		if r.Units() != Unknown {
			t.Errorf("an unknown request has %d", r.Units())
		}
		r.TakesGPUs, r.TakesNodes = c.gpus, c.nodes
		r.Processors, r.Size = c.processors, c.size
		if got := r.Units(); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// What a job takes is what it was given, else what it asked for; no GPU is an
// answer.
func TestTakes(t *testing.T) {
	for _, c := range []struct{ allocated, requested, nodes, gpus int64 }{
		{4, 8, 4, 4}, {Unknown, 8, 8, 8}, {0, 8, 8, 8}, {0, Unknown, Unknown, 0}, {0, 0, Unknown, 0}, {Unknown, 0, Unknown, 0},
		{Unknown, Unknown, Unknown, Unknown}, {-3, 2, 2, 2}, {3, Unknown, 3, 3},
	} {
		v := &Batch{Rows: 1}
		v.Ints[ColAllocatedNodes], v.Ints[ColRequestedNodes] = []int64{c.allocated}, []int64{c.requested}
		v.Ints[ColAllocatedGPUs], v.Ints[ColRequestedGPUs] = []int64{c.allocated}, []int64{c.requested}
		j := v.Job(0, 0)
		if j.TakesNodes != c.nodes || j.TakesGPUs != c.gpus || v.Nodes(0) != c.nodes || v.GPUs(0) != c.gpus {
			t.Errorf("allocated %d, requested %d: %d nodes, %d GPUs, want %d and %d", c.allocated, c.requested, j.TakesNodes, j.TakesGPUs, c.nodes, c.gpus)
		}
	}
}

func TestEligible(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ submit, eligible, from, moved float64 }{
		{100, nan, 100, 10}, {100, 250, 250, 160}, {100, 100, 100, 10}, {100, 40, 100, 10}, {nan, 40, nan, 10},
	} {
		j := UnknownJob()
		j.Submit, j.Eligible = c.submit, c.eligible
		old := j
		j.MoveTo(10)
		if got := []float64{old.EligibleFrom(), j.EligibleFrom()}; got[0] != c.from && !math.IsNaN(c.from) || got[1] != c.moved || j.Submit != 10 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
