package fit

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// fitExponential fits an exponential law to the attribute itself by maximum
// likelihood: its mean is the sample's, or, where values are not exact and
// complete, what EM finds.
func fitExponential(t task) (outcome, error) {
	if t.options.Method == MethodMoments {
		return t.fitMoments(exponentialOfMoments)
	}
	if t.inCells() || t.limit() > 0 {
		// A law that is cut at m has a mean below m/2, to which it comes
		// the nearer the larger its own is: it rises beyond any bound.
		if m := t.limit(); m > 0 && !t.options.Censored && t.mean() >= m/2 {
			return outcome{}, t.degenerate(fmt.Sprintf("their mean is %g, want less than half of the limit %g: no exponential distribution that is cut there has more", t.mean(), m))
		}
		t.family.shape = 1
		out, err := t.emOfOne()
		if err != nil {
			return outcome{}, err
		}
		out.law = dist.Exponential{Mean: dist.Mean(out.law)}
		return out, nil
	}
	return outcome{law: dist.Exponential{Mean: t.mean()}, free: 1, status: Converged}, nil
}

// mean is that of the values; where they stand for cells, of these' middles.
func (t task) mean() float64 {
	var sums em.GammaSums
	for i, x := range t.x {
		sums.Add(x, t.sample.Counts[i])
	}
	return sums.Mean()
}
