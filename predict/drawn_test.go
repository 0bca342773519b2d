package predict

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Whoever fits and has nobody ahead starts at once, in every draw and under every
// policy.
func TestDrawnStartsAtOnce(t *testing.T) {
	s := &Snapshot{Processors: 10, Running: []Occupant{{&workload.Request{Time: 100}, 6, 5}}}
	for _, p := range sched.Policies() {
		d := Drawn{Lifetimes: OneLaw{dist.UniformLog{TMin: 3, TMax: 1e5}}, Policy: p, Draws: 9}
		waits, err := d.Waits(s, []workload.Request{{Size: 4}, {Size: 5}})
		if err != nil {
			t.Fatal(err)
		}
		if waits[0][8] != 0 || waits[1][0] <= 0 {
			t.Errorf("%s: waits of 4 processors of 4 free %v, of 5 %v", p.Name(), waits[0], waits[1])
		}
	}
}
