package workload

import "testing"

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
		asked := NoAsked
		asked.TakesGPUs, asked.TakesNodes = c.gpus, c.nodes
		r.Processors, r.Size, r.Asked = c.processors, c.size, &asked
		if got := r.Units(); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
