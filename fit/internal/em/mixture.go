package em

import (
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

	jobs  float64 // the sample's total weight
	parts []part
}

// New returns the problem of a sample.
func New(laws Gammas, p Points) *Mixture {
	m := &Mixture{Laws: laws, Points: p, Workers: 1, jobs: p.Total()}
	m.parts = make([]part, max(1, (p.Len()+chunk-1)/chunk))
	return m
}

// On returns the same problem on another sample, for one worker.
func (m *Mixture) On(p Points) *Mixture {
	return New(m.Laws, p)
}

// Jobs returns the sample's number of jobs.
func (m *Mixture) Jobs() float64 { return m.jobs }

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
		next[k] = dist.WeightedGamma{Weight: s.W / w, Law: m.Laws.Maximise(s, old[k].Law)}
	}
	return logLikelihood
}

// fewestJobs is the least weight of a component, in jobs: with less it has
// died, and what is left is a fit of fewer components.
const fewestJobs = 1.5

func (m *Mixture) dead(c dist.WeightedGamma) bool { return !(c.Weight*m.jobs >= fewestJobs) }

// lost says whether a component has died.
func (m *Mixture) lost(c []dist.WeightedGamma) bool {
	return slices.ContainsFunc(c, m.dead)
}
