package fit

import (
	"math"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// powerLaw is a law of x > 0 with a closed form, as a law of y = ln x.
type powerLaw interface {
	// lnMass is the logarithm of the probability of [lo, hi), where lo may be
	// -Inf and hi +Inf; width is hi - lo, to all its digits.
	lnMass(lo, hi, width float64) float64
	lnDensity(y float64) float64
}

// powerOf returns the law of ln x, or nil for other laws.
func powerOf(law dist.Law) powerLaw {
	switch l := uncut(law).(type) {
	case dist.Weibull:
		return weibullOfLn{l.Shape, math.Log(l.Scale)}
	case dist.Pareto:
		return paretoOfLn{l.Alpha, math.Log(l.XMin)}
	}
	return nil
}

// weibullOfLn: Pr{Y > y} = exp(-exp(shape (y - mu))).
type weibullOfLn struct{ shape, mu float64 }

func (l weibullOfLn) lnMass(lo, hi, width float64) float64 {
	if math.IsInf(lo, -1) {
		return math.Log(-math.Expm1(-math.Exp(l.shape * (hi - l.mu))))
	}
	hazard := math.Exp(l.shape * (lo - l.mu))
	if math.IsInf(hi, 1) {
		return -hazard
	}
	more := hazard * math.Expm1(l.shape*width)
	if more < 1e-290 {
		return l.shape*(lo-l.mu) + math.Log(math.Expm1(l.shape*width))
	}
	return math.Log(-math.Expm1(-more)) - hazard
}

func (l weibullOfLn) lnDensity(y float64) float64 {
	z := l.shape * (y - l.mu)
	return math.Log(l.shape) + z - math.Exp(z)
}

// paretoOfLn: Pr{Y > y} = exp(-alpha (y - from)) above from.
type paretoOfLn struct{ alpha, from float64 }

func (l paretoOfLn) lnMass(lo, hi, width float64) float64 {
	if lo < l.from {
		lo, width = l.from, hi-l.from
	}
	if !(width > 0) {
		return math.Inf(-1)
	}
	return math.Log(-math.Expm1(-l.alpha*width)) - l.alpha*(lo-l.from)
}

func (l paretoOfLn) lnDensity(y float64) float64 {
	if y < l.from {
		return math.Inf(-1)
	}
	return math.Log(l.alpha) - l.alpha*(y-l.from)
}

// powerCells is a sample of cells of ln x, or of exact values of it, and the
// cut of its law.
type powerCells struct {
	points
	width   []float64 // of each cell; 0 for an exact value
	limit   float64   // +Inf for no cut
	jobs    float64
	workers int
}

func (t task) powerCells() powerCells {
	c := powerCells{points: t.lnPoints(), limit: math.Inf(1), workers: t.options.Workers}
	if limit := t.limit(); limit > 0 {
		c.limit = math.Log(limit)
	}
	c.jobs = c.total()
	c.width = make([]float64, c.len())
	if c.spans == nil {
		return c
	}
	for i := range c.width {
		c.width[i] = c.spans.hi[i] - c.spans.lo[i]
		if half := math.Sqrt(c.spans.halfSquared[i]); !math.IsInf(half, 1) {
			c.width[i] = 2 * half
		}
	}
	return c
}

// logLikelihood is of x itself; -Inf where a cell has no probability.
func (c powerCells) logLikelihood(l powerLaw) float64 {
	parts := make([]float64, (c.len()+chunk-1)/chunk)
	par.Each(c.workers, len(parts), func(part int) {
		sum := 0.0
		for i := part * chunk; i < min((part+1)*chunk, c.len()); i++ {
			if c.width[i] == 0 {
				sum += c.w[i] * (l.lnDensity(c.x[i]) - c.x[i])
			} else {
				sum += c.w[i] * l.lnMass(c.spans.lo[i], c.spans.hi[i], c.width[i])
			}
		}
		parts[part] = sum
	})
	var sum num.Sum
	for _, p := range parts {
		sum.Add(p)
	}
	if !math.IsInf(c.limit, 1) {
		sum.Add(-c.jobs * l.lnMass(math.Inf(-1), c.limit, math.Inf(1)))
	}
	if v := sum.Value(); !math.IsNaN(v) {
		return v
	}
	return math.Inf(-1)
}

// stillGradient is the largest slope of the mean log-likelihood a job at which
// a search counts as ended: coordinates of order 1 are then right to about as
// much.
const stillGradient = 1e-7

// maximum climbs from start to the maximum of a function of unbounded
// coordinates by BFGS with central differences.
func maximum(f func([]float64) float64, start []float64) (at []float64, iterations int, status Status) {
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
	at, status = start, IterationLimit
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
			status = Converged
			break
		}
	}
	return at, iterations, status
}
