package reshape

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// TestLoadOfHugeTimes: a log whose load is next to nothing cannot be scaled to
// any other, and no message speaks of infinitely many jobs.
func TestLoadOfHugeTimes(t *testing.T) {
	for _, last := range []float64{1e306, 1.7e308} {
		l := NewLoad()
		for _, submit := range []float64{-last, last} {
			var j workload.Job
			j.Submit, j.Size, j.Run = submit, 1, 1e-3
			l.Add(&j)
		}
		if f, err := l.Factor(100, 0.5); err == nil || !strings.Contains(err.Error(), "want a shorter time") {
			t.Errorf("submissions up to %g s: %g, %v", last, f, err)
		}
	}
	for _, factor := range []float64{1e308, math.Inf(1), math.NaN(), 0.5} {
		if err := CheckReplicas(100, factor); err == nil || !strings.Contains(err.Error(), "replication makes loads 1 to") {
			t.Errorf("%g times as high: %v", factor, err)
		}
	}
}
