package predict

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// evenly is a run time that is uniform from 0 to some seconds.
type evenly float64

func (e evenly) Quantile(q float64) float64 { return q * float64(e) }
func (e evenly) Survival(t float64) float64 { return max(0, 1-t/float64(e)) }

// TestOwnLaws has values by hand: what is left of a uniform law is uniform, and
// without a law half outlive their age again.
func TestOwnLaws(t *testing.T) {
	l := OwnLaws(func(r *workload.Request) (RunTimeDistribution, bool) { return evenly(100 * r.Size), r.Size > 0 })
	for _, c := range []struct {
		size             int64
		age, more, wants float64
	}{{1, 0, 25, 0.75}, {1, 50, 25, 0.5}, {2, 100, 50, 0.5}, {1, 100, 100, 0.5}, {1, 300, 100, 0.75}, {0, 30, 10, 0.75}} {
		r := workload.Request{Size: c.size}
		if got := l.Survival(&r, c.age, c.more); math.Abs(got-c.wants) > 1e-12 {
			t.Errorf("size %d, age %g: %g survive %g s, want %g", c.size, c.age, got, c.more, c.wants)
		}
		if got := drawnLength(l.Of(&r), &r, c.age, 1-c.wants); math.Abs(got-c.more) > 1e-9 {
			t.Errorf("size %d, age %g: %g s at the level %g, want %g", c.size, c.age, got, 1-c.wants, c.more)
		}
	}
}
