package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// lnMoments holds moments of the logarithms of a sample. Squares are those of the distances from
// the mean, not from 0 (Chan, Golub and LeVeque 1983), so that narrow laws far from 0 are
// accurate.
type lnMoments struct{ jobs, mean, squares float64 }

func (t task) lnMoments() lnMoments {
	var m lnMoments
	for i, x := range t.x {
		w, d := t.sample.Counts[i], math.Log(x)-m.mean
		jobs := m.jobs + w
		m.squares += d * d * (m.jobs * w / jobs)
		m.mean += d * (w / jobs)
		m.jobs = jobs
	}
	return m
}

// narrowestOfLn is the standard deviation of ln x, in units of the larger of 1 and the mean of ln
// x, up to which it is rounding error of the logarithms.
const narrowestOfLn = 1e-10

// spread returns the standard deviation. told reports whether it is above the rounding error of
// the logarithms.
func (m lnMoments) spread() (sigma float64, told bool) {
	sigma = math.Sqrt(m.squares / m.jobs)
	return sigma, sigma > narrowestOfLn*max(1, math.Abs(m.mean))
}

// tooAlike is the reason for rejecting a sample whose values differ by no more than the rounding
// error of their logarithms.
const tooAlike = "the values differ too little to estimate a spread"

// fitLogNormal fits a log-normal law to the attribute itself by maximum
// likelihood: the mean of the logarithms, and the root of their mean squared
// distance from it. Unlike a law that is fitted to ln t, it uses run times of 1 s
// and less.
func fitLogNormal(t task) (outcome, error) {
	if err := t.need(2, 2); err != nil {
		return outcome{}, err
	}
	m := t.lnMoments()
	sigma, told := m.spread()
	if !told {
		return outcome{}, t.degenerate(tooAlike)
	}
	law := dist.LogNormal{Mu: m.mean, Sigma: sigma}
	return t.withKilled(outcome{law: law, free: 2, status: Converged}, func(v []float64) dist.Law {
		return dist.LogNormal{Mu: law.Mu + v[0]*law.Sigma, Sigma: law.Sigma * math.Exp(v[1])}
	})
}
