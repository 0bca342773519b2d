package model

import (
	"math"
	"math/rand/v2"
	"sort"
)

// EstimateLaw is the law of the estimate of a job given its run time. It does not depend on other
// jobs, so jobs can be drawn in any order, on any number of goroutines.
type EstimateLaw struct {
	times []float64 // the estimates, ascending
	rows  []float64 // the upper ends of ranges of run times, ascending
	// pick returns the index in times for the row of a run time and an x uniform on [0, 1).
	pick func(row int, x float64) int
}

// Draw returns an estimate for a run time, in seconds. It is at least the run time, unless that
// exceeds the largest estimate, which is then returned. It is NaN if run is negative, infinite or
// NaN.
func (l *EstimateLaw) Draw(rng *rand.Rand, run float64) float64 {
	row, ok := rowOf(l.rows, run)
	if !ok {
		return math.NaN()
	}
	return l.times[l.pick(row, rng.Float64())]
}

// rowOf returns the index of the range of run times that contains run, where ends are the
// ascending upper ends of the ranges. The last range includes longer times. ok is false if run is
// negative, infinite or NaN.
func rowOf(ends []float64, run float64) (row int, ok bool) {
	if !(run >= 0 && run <= math.MaxFloat64) {
		return 0, false
	}
	return min(sort.SearchFloat64s(ends, run), len(ends)-1), true
}
