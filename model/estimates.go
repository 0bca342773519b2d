package model

import (
	"math"
	"math/rand/v2"
	"sort"
)

// EstimateLaw is the law of the estimate of a job given its run time, independent of the other
// jobs: jobs are drawn in any order, on any number of goroutines.
type EstimateLaw struct {
	times []float64 // the estimates, ascending
	rows  []float64 // the upper ends of ranges of run times, ascending
	// pick returns the place in times for a row of a run time and x, uniform on [0, 1).
	pick func(row int, x float64) int
}

// Draw returns an estimate. It is never below the run time, unless that exceeds the largest
// estimate: then it is that estimate. For a run time that is NaN it is NaN.
func (l *EstimateLaw) Draw(rng *rand.Rand, run float64) float64 {
	row, ok := rowOf(l.rows, run)
	if !ok {
		return math.NaN()
	}
	return l.times[l.pick(row, rng.Float64())]
}

// rowOf returns the range of a run time, of those with the upper ends: what is above the last
// counts as in it, and what is no run time is in none.
func rowOf(ends []float64, run float64) (row int, ok bool) {
	if !(run >= 0 && run <= math.MaxFloat64) {
		return 0, false
	}
	return min(sort.SearchFloat64s(ends, run), len(ends)-1), true
}
