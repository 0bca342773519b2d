package em

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Ending is how a run of EM ended.
type Ending int

// The endings.
const (
	Converged      Ending = iota // the components stand still
	IterationLimit               // they were still moving when the steps were used up
	ComponentLost                // a component died
)

// End is where a run of EM ended.
type End struct {
	Components    []dist.WeightedGamma // by ascending place
	LogLikelihood float64              // of the points
	Iterations    int                  // E steps
	Ending        Ending
}

// Limits are when EM stops.
type Limits struct {
	Iterations int // E steps at the most
	// EM stands still when one plain step moves no coordinate by more than
	// Tolerance, or gains no more than this share of the log-likelihood: where
	// the likelihood is flat, the parameters drift long after it has ended.
	Tolerance, Gain float64
}

// Rough returns the limits while starts are compared, on the pressed sample.
func Rough() Limits { return Limits{Iterations: 300, Tolerance: 1e-4, Gain: 1e-9} }

// Fine returns the limits on the whole sample from the best of the starts.
func Fine() Limits { return Limits{Iterations: 1000, Tolerance: 1e-8, Gain: 1e-12} }

// Replicate returns the limits in a replicate of the bootstrap, where sampling
// error is far above the tolerance.
func Replicate() Limits { return Limits{Iterations: 1000, Tolerance: 1e-4, Gain: 1e-9} }

// Run improves the components of start until they stand still.
//
// It accelerates EM by SQUAREM (Varadhan and Roland 2008, "Simple and globally
// convergent methods for accelerating the convergence of any EM algorithm",
// scheme S3): two steps of EM give a direction and a curvature, a longer step
// along them is tried, and kept only if the likelihood is not below that of
// the first of the two. So the log-likelihood never falls.
func (m *Mixture) Run(start []dist.WeightedGamma, limits Limits) End {
	k := len(start)
	at := slices.Clone(start)
	first, second, try, end := make([]dist.WeightedGamma, k), make([]dist.WeightedGamma, k), make([]dist.WeightedGamma, k), make([]dist.WeightedGamma, k)
	r := End{Ending: IterationLimit, LogLikelihood: math.Inf(-1)}
	see := func(l float64) {
		r.LogLikelihood = l
		if m.Observe != nil {
			m.Observe(l)
		}
	}
	for r.Iterations+3 <= limits.Iterations {
		l0 := m.step(at, first)
		see(l0)
		r.Iterations++
		if m.lost(first) {
			r.Ending = ComponentLost
			break
		}
		if m.distance(at, first) <= limits.Tolerance {
			r.Ending = Converged
			break
		}
		l1 := m.step(first, second)
		see(l1)
		r.Iterations++
		if l1-l0 <= limits.Gain*math.Abs(l0) {
			at, r.Ending = first, Converged
			break
		}
		if !m.extrapolate(at, first, second, try) {
			at, second = second, at
			continue
		}
		l2 := m.step(try, end)
		r.Iterations++
		if l2 >= l1 {
			see(l2)
			at, end = end, at
		} else {
			at, second = second, at
		}
	}
	r.Components = at
	slices.SortStableFunc(r.Components, func(a, b dist.WeightedGamma) int {
		x, _ := m.Laws.Coordinates(a.Law)
		y, _ := m.Laws.Coordinates(b.Law)
		return cmp.Compare(x, y)
	})
	return r
}
