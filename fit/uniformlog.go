package fit

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// fitUniformLog fits Downey's law of lifetimes to the attribute itself, by
// least squares: the line F = intercept + slope ln t through the jobs, the
// shortest and the longest left out. Downey (1997), "Predicting queue times
// on space-sharing parallel computers", section 2.
//
// A job is a point at its plotting position (rank - 0.5)/n among all n jobs,
// also those left out of the line; jobs that tie have ranks of their own. The
// sums are those over the jobs, but cost what the distinct values cost.
func fitUniformLog(t task) (outcome, error) {
	line, ok := fitLine(t.x, t.sample.Counts, t.options.Trim)
	if !ok {
		return outcome{}, t.degenerate(fmt.Sprintf("want two distinct values among the jobs from %g to %g of the ranks",
			t.options.Trim, 1-t.options.Trim))
	}
	law, err := dist.NewUniformLog(line.intercept, line.slope)
	if err != nil {
		return outcome{}, t.degenerate(err.Error())
	}
	out := outcome{law: law, free: 2, status: Converged}
	out.parameters = []dist.Parameter{
		{Name: "intercept", Value: line.intercept},
		{Name: "slope", Value: line.slope},
		{Name: "r_squared", Value: line.rSquared},
		{Name: "t_min_s", Value: law.TMin},
		{Name: "t_max_s", Value: law.TMax},
	}
	if t.attribute != RunTime && t.attribute != Interarrival { // no time, so no seconds
		out.parameters[3].Name, out.parameters[4].Name = "min", "max"
	}
	if cut := t.sample.Jobs() - int64(line.jobs); cut > 0 {
		out.warnings = append(out.warnings, fmt.Sprintf("the line is through %d of the %d jobs: the shortest and the longest %g %% are left out of it, not of n",
			int64(line.jobs), t.sample.Jobs(), 100*t.options.Trim))
	}
	return out, nil
}

// line is a least-squares line of plotting positions on ln of the values.
type line struct {
	intercept, slope, rSquared float64
	jobs                       float64 // points on which it rests
}

// fitLine fits the line to jobs whose plotting position lies in
// [trim, 1-trim]; false where they have fewer than two distinct values.
func fitLine(values, counts []float64, trim float64) (line, bool) {
	n := 0.0
	for _, c := range counts {
		n += c
	}
	first, last := keptRanks(n, trim)
	// Two passes: the means first, so that the sums of squares do not cancel.
	// overlap calls f with the ln of a value, the number of its jobs kept and
	// the mean of their positions.
	overlap := func(f func(x, jobs, y float64)) {
		before := 0.0
		for i, v := range values {
			lo, hi := max(before+1, first), min(before+counts[i], last)
			if lo <= hi {
				f(math.Log(v), hi-lo+1, ((lo+hi)/2-0.5)/n)
			}
			before += counts[i]
		}
	}
	var jobs, meanX, meanY float64
	overlap(func(x, k, y float64) {
		jobs += k
		meanX += k * x
		meanY += k * y
	})
	meanX /= jobs
	meanY /= jobs
	var xx, xy, yy float64
	overlap(func(x, k, y float64) {
		dx, dy := x-meanX, y-meanY
		xx += k * dx * dx
		xy += k * dx * dy
		// k positions 1/n apart spread around their mean by (k²-1)/12.
		yy += k*dy*dy + k*(k*k-1)/12/(n*n)
	})
	if !(xx > 0) || !(yy > 0) {
		return line{}, false
	}
	slope := xy / xx
	return line{meanY - slope*meanX, slope, xy * xy / (xx * yy), jobs}, true
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
