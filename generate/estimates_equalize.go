package generate

import (
	"cmp"
	"math"
	"slices"
)

// sharedBin is a bin with the share of the jobs, in percent, that it is to
// have. A given one keeps its jobs.
type sharedBin struct {
	time, percent float64
	jobs          int64
	given         bool
}

// equalize makes the jobs of all bins sum to the number asked for, by the
// steps of the authors' program, each from the largest bin down until the sum
// is reached: in proportion, by one, down to one job; and at last down to none
// from the smallest bin up.
func equalize(bins []sharedBin, jobs int64) error {
	var free []*sharedBin
	sum, freeSum := int64(0), int64(0)
	for i := range bins {
		sum += bins[i].jobs
		if !bins[i].given {
			free = append(free, &bins[i])
			freeSum += bins[i].jobs
		}
	}
	diff, sign := jobs-sum, int64(1)
	if diff < 0 {
		diff, sign = -diff, -1
	}
	if diff > 0 && len(free) == 0 {
		return estimateError("bins", "fewer bins, or counts that sum to the jobs", "%d jobs given of %d, and no other estimate", sum, jobs)
	}
	for step := 0; diff > 0; step++ {
		slices.SortFunc(free, func(a, b *sharedBin) int {
			return cmp.Or(-cmp.Compare(a.jobs, b.jobs), -cmp.Compare(a.percent, b.percent), -cmp.Compare(a.time, b.time))
		})
		if step == 3 {
			slices.Reverse(free)
		}
		f := float64(diff) / float64(freeSum)
		for _, b := range free {
			by := int64(1)
			switch step {
			case 0:
				by = int64(math.Ceil(f * float64(b.jobs)))
			case 2:
				by = b.jobs - 1
			case 3:
				by = b.jobs
			}
			if sign < 0 && step < 3 {
				by = min(by, b.jobs-1)
			}
			by = min(by, diff)
			b.jobs += sign * by
			if diff -= by; diff == 0 {
				break
			}
		}
	}
	return nil
}
