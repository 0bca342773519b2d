package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
	"github.com/loadstone-hpc/loadstone/fit/internal/tails"
)

// logNormalSums are those of the task's values.
func (t task) logNormalSums() em.LogNormalSums {
	var s em.LogNormalSums
	for i, x := range t.x {
		s.Add(x, t.sample.Counts[i])
	}
	return s
}

// tooAlike is what a law says of a sample whose values differ by no more than
// the rounding of their logarithms.
const tooAlike = "the values do not differ enough to tell a spread"

// fitLogNormal fits a log-normal law to the attribute itself by maximum
// likelihood. Unlike a law that is fitted to ln t, it uses run times of 1 s
// and less.
func fitLogNormal(t task) (outcome, error) {
	if err := t.need(2, 2); err != nil {
		return outcome{}, err
	}
	if t.options.Method == MethodMoments {
		return t.fitMoments(logNormalOfMoments)
	}
	if t.inCells() || t.limit() > 0 {
		return t.logNormalOfCells()
	}
	law, ok := t.logNormalSums().ML()
	if !ok {
		return outcome{}, t.degenerate(tooAlike)
	}
	return outcome{law: law, free: 2, status: Converged}, nil
}

// logNormalOfCells is fitLogNormal where values are not exact and complete: EM
// from the law of exact values.
func (t task) logNormalOfCells() (outcome, error) {
	if t.endedTooFew(2) {
		return outcome{}, t.degenerate(tooFewEnded)
	}
	m := t.normals(t.lnPoints())
	m.Workers = t.options.Workers
	starts, _ := m.Starts(1)
	r := m.Run(starts[0], em.Fine())
	o := outcome{law: r.Components[0].Law, free: 2, status: statusOf(r.Ending), iterations: r.Iterations}
	if t.limit() > 0 && !m.AtBound(r.Components) {
		o = t.climbed(m, o)
	}
	law := o.law.(dist.LogNormal)
	if err := law.Validate(); err != nil {
		return outcome{}, t.degenerate(err.Error())
	}
	if m.AtBound(oneLogNormal(law)) {
		return outcome{}, t.degenerate(tooAlike)
	}
	if err := t.cutTooFar(law); err != nil {
		return outcome{}, err
	}
	return o, nil
}

// climbed takes a law at which EM ended to the maximum of the likelihood. The more of
// a law is above the cut, the smaller are EM's steps, until they look like convergence.
func (task) climbed(m *em.Mixture[dist.LogNormal], o outcome) outcome {
	from := o.law.(dist.LogNormal)
	of := func(v []float64) dist.LogNormal {
		return dist.LogNormal{Mu: from.Mu + v[0]*from.Sigma, Sigma: from.Sigma * math.Exp(v[1])}
	}
	at, iterations, converged := tails.Maximum(func(v []float64) float64 {
		return m.LogLikelihood(oneLogNormal(of(v))) / m.Jobs()
	}, []float64{0, 0})
	return outcome{law: of(at), free: o.free, status: endOf(converged), iterations: o.iterations + iterations}
}

func oneLogNormal(l dist.LogNormal) []dist.WeightedLogNormal {
	return []dist.WeightedLogNormal{{Weight: 1, Law: l}}
}
