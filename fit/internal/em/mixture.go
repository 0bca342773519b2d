package em

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/points"
)

// Mixture is one problem of EM: a sample, the family of its components, and
// what is given.
type Mixture[L dist.Component] struct {
	Kernel  Kernel[L]
	Points  points.Set
	Share   float64 // weight of the first of two components, which is given; 0 where weights are estimated
	Limit   float64 // the law of a point is cut here; +Inf for no cut
	Workers int     // goroutines of an E step; results do not depend on it
	// Observe, unless nil, is told the log-likelihood of every point that Run
	// keeps.
	Observe func(logLikelihood float64)

	jobs  float64 // the sample's total weight
	parts []part
}

// New returns the problem of a sample with nothing given.
func New[L dist.Component](kernel Kernel[L], p points.Set) *Mixture[L] {
	m := &Mixture[L]{Kernel: kernel, Points: p, Limit: math.Inf(1), Workers: 1, jobs: p.Total()}
	m.parts = make([]part, max(1, (p.Len()+chunk-1)/chunk))
	return m
}

// On returns the same problem on another sample, for one worker.
func (m *Mixture[L]) On(p points.Set) *Mixture[L] {
	other := New(m.Kernel, p)
	other.Share, other.Limit = m.Share, m.Limit
	return other
}

// Jobs returns the sample's number of jobs.
func (m *Mixture[L]) Jobs() float64 { return m.jobs }

// OfCells says whether the likelihood is of cells, not of densities.
func (m *Mixture[L]) OfCells() bool { return m.Points.Cells != nil }

// AtBound says whether a component is as narrow as it may be.
func (m *Mixture[L]) AtBound(c []dist.Weighted[L]) bool {
	return slices.ContainsFunc(c, func(x dist.Weighted[L]) bool { return m.Kernel.Narrowest(x.Law) })
}

// LogLikelihood returns that of the components.
func (m *Mixture[L]) LogLikelihood(c []dist.Weighted[L]) float64 {
	_, l := m.expect(c)
	return l
}

// step is one step of EM: it writes improved components to next and returns
// the log-likelihood of the old ones, old. The log-likelihood of next is not
// below it.
func (m *Mixture[L]) step(old, next []dist.Weighted[L]) float64 {
	sums, logLikelihood := m.expect(old)
	w := 0.0
	for _, s := range sums {
		w += s.W
	}
	for k, s := range sums {
		next[k] = dist.Weighted[L]{Weight: s.W / w, Law: m.Kernel.Maximise(s, old[k].Law)}
		if m.Share > 0 {
			next[k].Weight = old[k].Weight
		}
	}
	return logLikelihood
}

// fewestJobs is the least weight of a component, in jobs: with less it has
// died, and what is left is a fit of fewer components.
const fewestJobs = 1.5

func (m *Mixture[L]) dead(c dist.Weighted[L]) bool { return !(c.Weight*m.jobs >= fewestJobs) }

// lost says whether a component has died.
func (m *Mixture[L]) lost(c []dist.Weighted[L]) bool {
	return m.Share == 0 && slices.ContainsFunc(c, m.dead)
}
