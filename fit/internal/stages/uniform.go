package stages

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Line is a least-squares line of plotting positions on ln of the values.
type Line struct {
	Intercept, Slope, RSquared float64
	Jobs                       float64 // number of jobs to which it is fitted
}

// FitUniform fits the line to jobs whose plotting position lies in [trim, 1-trim]; false if they
// have fewer than two distinct values.
func FitUniform(values, counts []float64, trim float64) (Line, bool) {
	// Two passes: the means first, so that the sums of squares do not cancel.
	var jobs, meanX, meanY float64
	n := floats.Sum(counts)
	eachKept(values, counts, n, trim, func(_ int, x, k, y float64) {
		jobs += k
		meanX += k * x
		meanY += k * y
	})
	meanX /= jobs
	meanY /= jobs
	var xx, xy, yy float64
	eachKept(values, counts, n, trim, func(_ int, x, k, y float64) {
		dx, dy := x-meanX, y-meanY
		xx += k * dx * dx
		xy += k * dx * dy
		// k positions 1/n apart spread around their mean by (k²-1)/12.
		yy += k*dy*dy + k*(k*k-1)/12/(n*n)
	})
	if !(xx > 0) || !(yy > 0) {
		return Line{}, false
	}
	slope := xy / xx
	return Line{meanY - slope*meanX, slope, xy * xy / (xx * yy), jobs}, true
}

// eachKept calls f with each value that has jobs whose plotting position (rank - 0.5)/n lies
// in [trim, 1-trim]: its index, its logarithm, the number of these jobs and the mean of their
// positions. n is the number of all jobs.
func eachKept(values, counts []float64, n, trim float64, f func(i int, x, jobs, y float64)) {
	first, last := keptRanks(n, trim)
	before := 0.0
	for i, v := range values {
		lo, hi := max(before+1, first), min(before+counts[i], last)
		if lo <= hi {
			f(i, math.Log(v), hi-lo+1, ((lo+hi)/2-0.5)/n)
		}
		before += counts[i]
	}
}

// keptRanks returns the lowest and the highest rank from 1 to n whose plotting
// position (rank - 0.5)/n lies in [trim, 1-trim].
func keptRanks(n, trim float64) (first, last float64) {
	at := func(rank float64) float64 { return (rank - 0.5) / n }
	first = max(1, math.Floor(trim*n))
	for first > 1 && at(first-1) >= trim {
		first--
	}
	for first <= n && at(first) < trim {
		first++
	}
	last = min(n, math.Ceil((1-trim)*n)+1)
	for last < n && at(last+1) <= 1-trim {
		last++
	}
	for last >= 1 && at(last) > 1-trim {
		last--
	}
	return first, last
}
