package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// momentBound is what bounds from mean and standard deviation have in common:
// the moments of the waits, transformed, of each group's history.
type momentBound struct {
	name    string
	minimum int
	of      func(wait float64) float64 // whose moments are kept
	groups  grouped[*momentGroup]
}

type momentGroup struct {
	history history
	moments stats.Moments
}

func newMomentBound(name string, quantile float64, minimum int, o BoundOptions, of func(float64) float64) momentBound {
	rules := newChangeRules(o.Changes, quantile, minimum)
	return momentBound{name, minimum, of, newGrouped(o.Groups, func() *momentGroup {
		return &momentGroup{history: history{changes: rules.changes()}}
	})}
}

// Name returns the predictor's name.
func (m *momentBound) Name() string { return m.name }

// ask returns a bound with all but Seconds and Achieved filled, and the moments that it
// is to be made of; false where the history is too short.
func (m *momentBound) ask(r *workload.Request, quantile, confidence float64) (Bound, stats.Moments, bool) {
	g := m.groups.at(r)
	n := len(g.of.history.waits)
	b := Bound{
		Seconds: math.NaN(), Quantile: quantile, Confidence: confidence, Achieved: math.NaN(),
		Observations: n, Group: g.label,
	}
	return b, g.of.moments, n >= m.minimum
}

// Observe is as BoundPredictor says.
func (m *momentBound) Observe(j workload.Job, given Bound) {
	if !knownWait(&j) {
		return
	}
	g := m.groups.at(&j.Request).of
	if !g.history.add(j.Wait, given.Seconds) {
		g.moments.Add(m.of(j.Wait))
		return
	}
	g.moments = stats.Moments{}
	for _, w := range g.history.waits {
		g.moments.Add(m.of(w))
	}
}
