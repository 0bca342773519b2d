package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// momentBound keeps the moments of the waits of each group's history, for bounds from
// their mean and standard deviation.
type momentBound struct {
	name    string
	minimum int
	groups  grouped[*momentGroup]
}

type momentGroup struct {
	history history
	moments stats.Moments
}

func newMomentBound(name string, quantile float64, minimum int, o BoundOptions) momentBound {
	rules := newChangeRules(o.Changes, quantile, minimum)
	return momentBound{name, minimum, newGrouped(o.Groups, func() *momentGroup {
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
		g.moments.Add(j.Wait)
		return
	}
	g.moments = stats.Moments{}
	for _, w := range g.history.waits {
		g.moments.Add(w)
	}
}
