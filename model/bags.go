package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// Bags makes every arrival of a class a bag of tasks: one or more jobs
// submitted at one moment. Interarrival times are longer by the mean number
// of tasks, so that the mean rate of jobs stays. It is the project's own
// extension, for grids.
type Bags struct {
	// Size is the law of the number of tasks. A draw is rounded up to a whole
	// number from 1 to Max.
	Size dist.Law
	Max  int64 // at least 1, at most MaxBag
}

// MaxBag is the largest number of tasks in a bag.
const MaxBag = 1_000_000

// Tasks returns the number of tasks for a draw x of Size.
func (b *Bags) Tasks(x float64) int64 { return int64(max(1, min(math.Ceil(x), float64(b.Max)))) }

// Mean returns the mean number of tasks, 1 for a nil b.
func (b *Bags) Mean() float64 {
	if b == nil {
		return 1
	}
	var sum num.Sum
	sum.Add(1)
	for k := int64(1); k < b.Max; k++ {
		s := b.Size.Survival(float64(k))
		if s == 0 {
			break
		}
		sum.Add(s)
	}
	return sum.Value()
}

func (b *Bags) visit(f *form) {
	f.positive("size", required, &b.Size)
	f.integer("max", &b.Max, 1, MaxBag)
}
