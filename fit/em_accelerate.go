package fit

import (
	"math"
	"slices"
)

// emEnd says how a run of EM ended.
type emEnd struct {
	logLikelihood float64
	iterations    int // E steps
	status        Status
}

// emSteps is what accelerate knows of a mixture whose components are C.
type emSteps[C any] struct {
	// step writes improved components to next, and returns the log-likelihood
	// of the old ones.
	step func(old, next []C) float64
	lost func([]C) bool // whether a component has died
	// distance is the largest change of a coordinate, all of them without
	// bounds.
	distance func(a, b []C) float64
	// extrapolate writes the SQUAREM step through three successive points to
	// out, false where there is none that is longer than EM's own.
	extrapolate func(a, b, c, out []C) bool
}

// accelerate improves the components of start until they stand still. It
// accelerates EM by SQUAREM (Varadhan and Roland 2008, "Simple and globally
// convergent methods for accelerating the convergence of any EM algorithm",
// scheme S3): two steps of EM give a direction and a curvature, a longer step
// along them is tried, and kept only if the likelihood is not below that of
// the first of the two. So the log-likelihood never falls. observe, which may
// be nil, sees it at every point kept.
func accelerate[C any](start []C, limits emLimits, em emSteps[C], observe func(logLikelihood float64), r *emEnd) []C {
	k := len(start)
	at := slices.Clone(start)
	first, second, try, end := make([]C, k), make([]C, k), make([]C, k), make([]C, k)
	*r = emEnd{status: IterationLimit, logLikelihood: math.Inf(-1)}
	see := func(l float64) {
		r.logLikelihood = l
		if observe != nil {
			observe(l)
		}
	}
	for r.iterations+3 <= limits.iterations {
		l0 := em.step(at, first)
		see(l0)
		r.iterations++
		if em.lost(first) {
			r.status = ComponentLost
			break
		}
		if em.distance(at, first) <= limits.tolerance {
			r.status = Converged
			break
		}
		l1 := em.step(first, second)
		see(l1)
		r.iterations++
		if l1-l0 <= limits.gain*math.Abs(l0) {
			at, r.status = first, Converged
			break
		}
		if !em.extrapolate(at, first, second, try) {
			at, second = second, at
			continue
		}
		l2 := em.step(try, end)
		r.iterations++
		if l2 >= l1 {
			see(l2)
			at, end = end, at
		} else {
			at, second = second, at
		}
	}
	return at
}
