package figure

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/study/allocate"
)

// Work and sizes are drawn beside what the jobs brought, of a log as of a model.
func TestAllocateSampleOfLog(t *testing.T) {
	s := sampleOfJobs(&allocate.Studied{
		Jobs:    []allocate.Job{{Sequential: 10, Parallelism: 1}, {Sequential: 10, Parallelism: 8}, {Sequential: 10, Parallelism: 1}, {Sequential: 80, Parallelism: 2}},
		Outcome: allocate.Outcome{Schedule: make([]allocate.Placement, 4)},
	})
	for i, want := range [][2]float64{{10, 0.75}, {1, 0.5}} {
		if got := s.asked[i].CDF(want[0]); got != want[1] {
			t.Errorf("%s: %g of the jobs up to %g, want %g", s.asked[i].Name, got, want[0], want[1])
		}
	}
}
