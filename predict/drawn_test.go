package predict

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// By the remaining lifetime in closed form a job has ended with the probability asked
// for, at any age; or before, where it is the longest or the shortest there is.
func TestDrawnLengthOfOneLaw(t *testing.T) {
	// A probability below 1 is rounded by 2^-54 at the most, and the survival, its
	// complement and the level are four of them.
	const rounding = 4 * 0x1p-54
	law := OneLaw{dist.UniformLog{TMin: 3, TMax: 1e5}}
	r := &workload.Request{}
	for _, age := range []float64{0, 1, 3, 50, 9e4, 1e5, 1e7} {
		for _, level := range []float64{0, 1e-9, 0.1, 0.5, 0.99, 1 - 1e-12} {
			got := drawnLength(law, r, age, level)
			ended := 1 - law.Survival(r, age, got)
			off := ended - math.Max(level, 1e-12)
			if got == Shortest && off >= 0 || got == Longest && off <= 0 {
				continue
			}
			if !(math.Abs(off) <= rounding) {
				t.Errorf("age %g, level %g: %g s, by which it has ended with probability %g", age, level, got, ended)
			}
		}
	}
}

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
