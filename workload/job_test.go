package workload

import (
	"fmt"
	"strings"
	"testing"
)

// A job takes the resources it was allocated, otherwise those it requested; zero GPUs count as
// known. Its units are processors if known, then GPUs, then nodes. Each job has nodes, GPUs and
// units.
func TestTakes(t *testing.T) {
	const cases = `
allocated_nodes=4 requested_nodes=8 allocated_gpus=4 requested_gpus=8 | 4 4 4
requested_nodes=8 requested_gpus=8 | 8 8 8
allocated_nodes=0 requested_nodes=8 allocated_gpus=0 requested_gpus=8 | 8 8 8
allocated_nodes=0 allocated_gpus=0 | - 0 -
allocated_nodes=0 requested_nodes=0 allocated_gpus=0 requested_gpus=0 | - 0 -
requested_nodes=0 requested_gpus=0 | - 0 -
 | - - -
allocated_nodes=-3 requested_nodes=2 allocated_gpus=-3 requested_gpus=2 | 2 2 2
allocated_nodes=3 allocated_gpus=3 | 3 3 3
requested=4 allocated=8 allocated_gpus=2 allocated_nodes=1 | 1 2 4
allocated=8 allocated_gpus=2 allocated_nodes=1 | 1 2 8
requested=0 allocated_gpus=2 allocated_nodes=1 | 1 2 2
allocated_gpus=0 allocated_nodes=3 | 3 0 3
`
	for _, c := range rowsOf(cases) {
		var b Batch
		j := jobOf(t, c[0])
		b.Append(&j)
		j = b.Job(0, 0)
		got := strings.ReplaceAll(fmt.Sprint(j.TakesNodes, j.TakesGPUs, j.Units()), fmt.Sprint(Unknown), "-")
		if got != c[1] || b.Nodes(0) != j.TakesNodes || b.GPUs(0) != j.TakesGPUs {
			t.Errorf("%s: %s, want %s; the batch has %d nodes and %d GPUs", c[0], got, c[1], b.Nodes(0), b.GPUs(0))
		}
	}
}

// The time at which a job became eligible, and the same if it is submitted at 10 s.
func TestEligible(t *testing.T) {
	const cases = `
submit=100 | 100 10
submit=100 eligible=250 | 250 160
submit=100 eligible=100 | 100 10
submit=100 eligible=40 | 100 10
eligible=40 | NaN 10
`
	for _, c := range rowsOf(cases) {
		j := jobOf(t, c[0])
		from := j.EligibleFrom()
		j.MoveTo(10)
		if got := fmt.Sprint(from, j.EligibleFrom()); got != c[1] || j.Submit != 10 {
			t.Errorf("%s: %s, submitted at %g, want %s", c[0], got, j.Submit, c[1])
		}
	}
}
