package em

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Mixture is one problem of EM: a sample and the laws that its components may be.
type Mixture struct {
	Laws    Gammas
	Points  Points
	Workers int // goroutines of an E step; results do not depend on it
	// Observe, unless nil, is told the log-likelihood of every point that Run
	// keeps.
	Observe func(logLikelihood float64)

	Jobs  float64 // the sample's total weight
	parts []part
}

// New returns the problem of a sample.
func New(laws Gammas, p Points) *Mixture {
	m := &Mixture{Laws: laws, Points: p, Workers: 1, Jobs: p.Total()}
	m.parts = make([]part, max(1, (p.Len()+chunk-1)/chunk))
	return m
}

// AtBound says whether a component is as narrow as it may be.
func (m *Mixture) AtBound(c []dist.WeightedGamma) bool {
	return slices.ContainsFunc(c, func(x dist.WeightedGamma) bool { return m.Laws.Narrowest(x.Law) })
}

// LogLikelihood returns that of the components.
func (m *Mixture) LogLikelihood(c []dist.WeightedGamma) float64 {
	_, l := m.expect(c)
	return l
}

// step is one step of EM: it writes improved components to next and returns
// the log-likelihood of the old ones, old. The log-likelihood of next is not
// below it.
func (m *Mixture) step(old, next []dist.WeightedGamma) float64 {
	sums, logLikelihood := m.expect(old)
	w := 0.0
	for _, s := range sums {
		w += s.W
	}
	for k, s := range sums {
		next[k] = dist.WeightedGamma{Weight: s.W / w, Law: m.Laws.maximise(s, old[k].Law)}
	}
	return logLikelihood
}

// fewestJobs is the least weight of a component, in jobs: with less it has
// died, and what is left is a fit of fewer components.
const fewestJobs = 1.5

func (m *Mixture) dead(c dist.WeightedGamma) bool { return !(c.Weight*m.Jobs >= fewestJobs) }

// lost says whether a component has died.
func (m *Mixture) lost(c []dist.WeightedGamma) bool {
	return slices.ContainsFunc(c, m.dead)
}

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
		if distance(at, first) <= limits.Tolerance {
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
		return cmp.Compare(math.Log(a.Law.Mean()), math.Log(b.Law.Mean()))
	})
	return r
}

// coordinatesOf returns the numbers without bounds in which EM is extrapolated:
// the components' spreads, then their places, then ln of their weights over the last one's.
func coordinatesOf(c []dist.WeightedGamma) []float64 {
	n := len(c)
	v := make([]float64, 2*n, 3*n)
	for k, x := range c {
		v[n+k], v[k] = coordinates(x.Law)
	}
	last := math.Log(c[n-1].Weight)
	for _, x := range c {
		v = append(v, math.Log(x.Weight)-last)
	}
	return v
}

// distance is the largest change of a coordinate.
func distance(a, b []dist.WeightedGamma) float64 {
	d := 0.0
	to := coordinatesOf(b)
	for i, from := range coordinatesOf(a) {
		d = max(d, math.Abs(to[i]-from))
	}
	return d
}

// extrapolate writes to out the SQUAREM step through three successive points
// of EM. It is false where there is none, or where it would be no longer than
// EM's own.
func (m *Mixture) extrapolate(first, second, third, out []dist.WeightedGamma) bool {
	a, b, c := coordinatesOf(first), coordinatesOf(second), coordinatesOf(third)
	var rr, vv float64
	for i := range a {
		r := b[i] - a[i]
		v := c[i] - b[i] - r
		rr += r * r
		vv += v * v
	}
	alpha := -math.Sqrt(rr / vv)
	if !(alpha < -1) || math.IsInf(alpha, -1) {
		return false
	}
	reach := func(i int) float64 {
		r := b[i] - a[i]
		v := c[i] - b[i] - r
		return a[i] - 2*alpha*r + alpha*alpha*v
	}
	n := len(out)
	sum := 0.0
	for k := range out {
		law, ok := m.Laws.at(reach(n+k), reach(k), third[k].Law)
		if !ok {
			return false
		}
		out[k] = dist.WeightedGamma{Weight: math.Exp(reach(2*n + k)), Law: law}
		sum += out[k].Weight
	}
	if math.IsInf(sum, 1) || !(sum > 0) {
		return false
	}
	for k := range out {
		if out[k].Weight /= sum; !(out[k].Weight > 0) {
			return false
		}
	}
	return true
}
