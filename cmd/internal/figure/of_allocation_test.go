package figure

import (
	"math"
	"slices"
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

// The schedule's sizes and work are counted by value: 2 processors for 10 s twice, 4
// for 5 s.
func TestAllocateSampleOfSchedule(t *testing.T) {
	s := sampleOfJobs(&allocate.Studied{
		Jobs:    make([]allocate.Job, 3),
		Outcome: allocate.Outcome{Schedule: []allocate.Placement{{Size: 2, Run: 10}, {Size: 4, Run: 5}, {Size: 2, Run: 10}}},
	})
	if s.jobs != 3 || !slices.Equal(s.sizes.Values, []float64{2, 4}) || !slices.Equal(s.sizes.Counts, []float64{2, 1}) {
		t.Errorf("%d jobs of sizes %+v", s.jobs, s.sizes)
	}
	if !slices.Equal(s.work.Values, []float64{20}) || !slices.Equal(s.work.Counts, []float64{3}) {
		t.Errorf("work %+v", s.work)
	}
}

// Both profiles of Downey (1997), section 2.1, have their average parallelism, 64,
// and a variance of sigma (A-1)^2: by the areas below them and below their squares. Curves of figure 2 begin at 1 on one processor; that
// of infinite sigma is 64 n/(63 + n).
func TestProfilesAndSpeedups(t *testing.T) {
	for i, sigma := range []float64{0.5, 1.5} {
		p := profiles()[i]
		var time, area, squares float64
		for k := 1; k < len(p.X); k++ {
			dt := p.X[k] - p.X[k-1]
			if dt != 0 && p.Y[k] != p.Y[k-1] {
				t.Errorf("sigma %g: a slope from %g to %g", sigma, p.Y[k-1], p.Y[k])
			}
			time, area, squares = time+dt, area+dt*p.Y[k], squares+dt*p.Y[k]*p.Y[k]
		}
		mean := area / time
		if variance := squares/time - mean*mean; math.Abs(mean-64) > 1e-9 || math.Abs(variance-sigma*63*63) > 1e-6 {
			t.Errorf("sigma %g: mean %g, variance %g, want 64, %g", sigma, mean, variance, sigma*63*63)
		}
	}
	all := speedups()
	for _, c := range all {
		if len(c.X) != 256 || c.X[0] != 1 || c.Y[0] != 1 {
			t.Errorf("%s begins at %g, %g", c.Name, c.X[0], c.Y[0])
		}
	}
	last := all[len(all)-1]
	if last.Name != "sigma infinite" || math.Abs(last.Y[36]-64*37./100) > 1e-12 { // n = 37: 64*37/100
		t.Errorf("%s: %g at 37", last.Name, last.Y[36])
	}
	if zero := all[0]; zero.Y[63] != 64 || zero.Y[255] != 64 || zero.Y[36] != 37 {
		t.Errorf("%s: %g at 37, %g at 64, %g at 256", zero.Name, zero.Y[36], zero.Y[63], zero.Y[255])
	}
}
