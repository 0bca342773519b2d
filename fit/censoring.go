package fit

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"

	"github.com/loadstone-hpc/loadstone/dist"
)

// aboutCensoring returns the warning of a fit with Options.Censored.
func (t task) aboutCensoring(censored float64) string {
	switch {
	case t.attribute != RunTime && t.attribute != Work:
		return fmt.Sprintf("only run times and work are censored: %s is fitted as it is", t.attribute)
	case censored == 0:
		return "no job is known to have been killed at its limit: nothing is censored"
	}
	return fmt.Sprintf("%.0f jobs were killed at their limit and are censored in the likelihood; D is the distance from the Kaplan-Meier curve", censored)
}

// censors reports whether jobs of the task are censored.
func (t task) censors() bool { return t.sample.Censored != nil }

// killed returns the number of censored jobs with value i.
func (t task) killed(i int) float64 {
	if t.censors() {
		return t.sample.Censored[i]
	}
	return 0
}

const tooFewEnded = "too few uncensored values to determine the distribution"

// withKilled returns the outcome of maximum likelihood if some jobs were killed, starting from
// ended, the outcome of a fit as if all jobs had ended. It returns ended if no job is censored.
// The term of a killed job is the probability that it would have run longer, instead of a
// density. of returns the law of the family at two coordinates of order 1; the law of ended is at
// their origin.
func (t task) withKilled(ended outcome, of func(v []float64) dist.Law) (outcome, error) {
	if !t.censors() {
		return ended, nil
	}
	values := 0
	for i, jobs := range t.sample.Counts {
		if jobs > t.killed(i) {
			values++
		}
	}
	if values < 2 {
		return outcome{}, t.degenerate(tooFewEnded)
	}
	jobs := float64(t.sample.Jobs())
	at, iterations, converged := maximum(func(v []float64) float64 {
		_, transformed, _ := t.logLikelihoods(of(v))
		return transformed / jobs
	}, []float64{0, 0})
	ended.law, ended.iterations, ended.status = of(at), iterations, endOf(converged)
	return ended, nil
}

// logLikelihoods returns the log-likelihoods of the attribute itself and of the transformed
// attribute, and the number of jobs at which the law has no density. If there are any, both are
// -Inf.
func (t task) logLikelihoods(law dist.Law) (itself, transformed float64, outside int64) {
	density := dist.LogDensity(law)
	for i, x := range t.x {
		killed := t.killed(i)
		if ended := t.sample.Counts[i] - killed; ended > 0 {
			d := density(x)
			if math.IsInf(d, -1) {
				outside += int64(ended)
			}
			transformed += ended * d
			itself += ended * (d + t.transform.logJacobian(t.sample.Values[i]))
		}
		if killed > 0 { // a probability, which does not depend on the transform
			d := killed * math.Log(law.Survival(x))
			transformed, itself = transformed+d, itself+d
		}
	}
	if outside > 0 { // a sum with an infinite term may be NaN
		itself, transformed = math.Inf(-1), math.Inf(-1)
	}
	return itself, transformed, outside
}

// censoredDistance returns the Kolmogorov-Smirnov distance between the law and the estimate of
// Kaplan and Meier (1958), at the values of jobs that ended; beyond the last of them the curve is
// unknown. A job that was killed at a value is assumed to run longer than those that ended there.
func (t task) censoredDistance(law dist.Law) (d float64) {
	risk, above := float64(t.sample.Jobs()), 1.0
	for i, jobs := range t.sample.Counts {
		if ended := jobs - t.killed(i); ended > 0 {
			before := 1 - above
			above *= (risk - ended) / risk
			at := law.CDF(t.x[i])
			d = max(d, math.Abs(at-before), math.Abs(1-above-at))
		}
		risk = max(0, risk-jobs)
	}
	return d
}

// stillGradient is the largest slope of the mean log-likelihood per job at which a search has
// converged. Coordinates of order 1 are then accurate to about that much.
const stillGradient = 1e-7

// maximum returns the place of the maximum of f, a mean log-likelihood per job, over unbounded
// coordinates of order 1. It searches from start by BFGS with central differences, and returns
// start if the slope there is negligible. converged reports whether the slope at the result is
// negligible.
func maximum(f func([]float64) float64, start []float64) (at []float64, iterations int, converged bool) {
	const off = 1e300 // instead of -Inf, which a line search cannot handle
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
	// If a line search ends because of rounding errors, a new one may get further.
	for range 3 {
		// An error means that a line search found nothing better. The slope below decides.
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
