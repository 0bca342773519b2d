package stages

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
)

// greedy returns the sums of squares of lines of 1 to most stages that are good and not always
// the best: breaks are added one by one where they help most, and each time all
// are moved, one by one, while that helps. They bound the search. A sum is infinite where no
// line was found.
func (s *search) greedy(most int) []float64 {
	last := len(s.candidates) - 1
	now := []int{0, last}
	best := slices.Repeat([]float64{math.Inf(1)}, most+1)
	best[1] = s.sum(now)
	for k := 2; k <= most && k <= last; k++ {
		at, sum := 0, math.Inf(1)
		for i := 1; i < last; i++ {
			if l, found := slices.BinarySearch(now, i); !found {
				if v := s.sum(slices.Insert(slices.Clone(now), l, i)); v < sum {
					at, sum = i, v
				}
			}
		}
		if at == 0 {
			break
		}
		l, _ := slices.BinarySearch(now, at)
		now = slices.Insert(now, l, at)
		for moved := true; moved; {
			moved = false
			for l := 1; l < k; l++ {
				for i := now[l-1] + 1; i < now[l+1]; i++ {
					was := now[l]
					now[l] = i
					if v := s.sum(now); v < sum*(1-1e-9) {
						sum, moved = v, true
					} else {
						now[l] = was
					}
				}
			}
		}
		best[k] = sum
	}
	return best
}

// sum returns the least sum of squares with breaks at those candidates,
// infinite if that line is none that the search takes, or has a level segment.
func (s *search) sum(at []int) float64 {
	var (
		segments [dist.MaxStages]segment
		group    [dist.MaxStages + 1]int
	)
	k := len(at) - 1
	for l := range k {
		segments[l] = s.segments[at[l]][at[l+1]-at[l]-1]
		group[l+1] = l + 1
	}
	h := solve(segments[:k], group[:k+1])
	sum := 0.0
	for l := range k {
		g := &segments[l]
		u, v := h[l], h[l+1]
		if v <= u || l > 0 && !(u > 0 && u < 1) {
			return math.Inf(1)
		}
		sum += g.a*u*u + 2*g.b*u*v + g.c*v*v - 2*g.d*u - 2*g.e*v + g.g
	}
	return max(0, sum) // not what rounding leaves of a perfect line
}
