package predict

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The remaining lifetime of Downey's law in closed form is that which the search
// finds, at any age.
func TestDrawnLengthOfOneLaw(t *testing.T) {
	law := OneLaw{dist.UniformLog{TMin: 3, TMax: 1e5}}
	r := &workload.Request{}
	for _, age := range []float64{0, 1, 3, 50, 9e4, 1e5, 1e7} {
		for _, level := range []float64{0, 1e-9, 0.1, 0.5, 0.99, 1 - 1e-12} {
			level := math.Max(level, 1e-12)
			want := earliest(func(t float64) float64 { return 1 - law.Survival(r, age, t) }, level)
			got := drawnLength(law, r, age, level)
			// The search ends at 1e-10 of the time; near 1 the survival has no more
			// than 1e-16/(1-level) of digits.
			if tolerance := 1e-9 + 1e-15/(1-level); math.Abs(got-want) > tolerance*want {
				t.Errorf("age %g, level %g: %g s, the search finds %g", age, level, got, want)
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
