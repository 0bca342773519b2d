package tails

import (
	"math"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"
)

// stillGradient is the largest slope of the mean log-likelihood a job at which
// a search counts as ended: coordinates of order 1 are then right to about as
// much.
const stillGradient = 1e-7

// Maximum climbs from start to the maximum of f, a mean log-likelihood a job, over
// unbounded coordinates of order 1, by BFGS with central differences. It returns start
// where the slope there is negligible. converged tells whether the slope at the result is.
func Maximum(f func([]float64) float64, start []float64) (at []float64, iterations int, converged bool) {
	const off = 1e300 // in place of -Inf, which a line search cannot take
	problem := optimize.Problem{
		Func: func(v []float64) float64 {
			if l := f(v); !math.IsInf(l, 0) && !math.IsNaN(l) {
				return -l
			}
			return off
		},
	}
	problem.Grad = func(g, v []float64) { fd.Gradient(g, problem.Func, v, &fd.Settings{Formula: fd.Central}) }
	slope := func(v []float64) float64 {
		g := make([]float64, len(v))
		problem.Grad(g, v)
		most := 0.0
		for _, x := range g {
			most = max(most, math.Abs(x))
		}
		return most
	}
	at = start
	if slope(at) <= stillGradient {
		return at, 0, true
	}
	// Where a line search ends in rounding error, one begun anew goes on.
	for range 3 {
		// An error is a line search that found nothing better: judged below.
		r, _ := optimize.Minimize(problem, at, &optimize.Settings{GradientThreshold: stillGradient / 10, MajorIterations: 200}, &optimize.BFGS{})
		if r == nil || !(r.F <= problem.Func(at)) {
			break
		}
		at = r.X
		iterations += r.MajorIterations
		if slope(at) <= stillGradient {
			converged = true
			break
		}
	}
	return at, iterations, converged
}
