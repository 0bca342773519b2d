package fit

import "github.com/loadstone-hpc/loadstone/fit/internal/em"

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
	law := r.Components[0].Law
	if err := law.Validate(); err != nil {
		return outcome{}, t.degenerate(err.Error())
	}
	if m.AtBound(r.Components) {
		return outcome{}, t.degenerate(tooAlike)
	}
	if err := t.cutTooFar(law); err != nil {
		return outcome{}, err
	}
	return outcome{law: law, free: 2, status: statusOf(r.Ending), iterations: r.Iterations}, nil
}
