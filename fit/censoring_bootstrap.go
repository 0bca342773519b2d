package fit

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// censoredGoodness is goodness where jobs are censored. D is the law's distance
// from the Kaplan-Meier curve. A replicate draws each job's run time from the
// law and its limit from the Kaplan-Meier estimate of the law of the limits;
// the job is killed where the limit comes first. It is refitted, and its D is
// taken in the same way.
//
// Efron (1981), "Censored data and the bootstrap", gives the scheme for
// run times from their own Kaplan-Meier curve; Davison and Hinkley (1997),
// "Bootstrap methods and their application", section 3.5, with those of a
// fitted law. Limits count as independent of run times: where users ask for
// what they need, that is not so, and p-values and intervals are of a site
// where they do not.
func (t task) censoredGoodness(r *Report) error {
	if t.options.Tests {
		r.Warnings = append(r.Warnings, "no Anderson-Darling and no chi-square test: jobs are censored, and only Kolmogorov-Smirnov's distance is taken from the Kaplan-Meier curve")
	}
	law := t.cut(r.Law)
	r.KS.D = t.censoredDistance(law)
	asymptotic := stats.KolmogorovSurvival(math.Sqrt(float64(r.N)) * r.KS.D)
	if t.options.Replicates == 0 {
		r.KS.Significance = significance(stats.Significance{}, asymptotic)
		return nil
	}
	s, laws, err := t.censoredBootstrap(law, r.KS.D)
	if err != nil {
		return t.untested(r, err)
	}
	r.KS.Significance = significance(s, asymptotic)
	t.fromReplicates(r, s, laws)
	return nil
}

// censoredBootstrap returns the p-value of the distance d, and the refitted laws.
func (t task) censoredBootstrap(law dist.Law, d float64) (stats.Significance, []dist.Law, error) {
	limits := t.limits()
	n := int(t.sample.Jobs())
	walk := t.newCellWalk(law, n, limits)
	o := t.options
	found, laws, err := stats.Replicates{N: o.Replicates, Sequential: o.Sequential, Seed: o.Seed, Workers: o.Workers}.Significances([]float64{d}, func(rng *rand.Rand) (dist.Law, []float64, error) {
		replicate := t
		replicate.x, replicate.sample = t.drawKilled(rng, law, n, limits, walk)
		refitted, err := replicate.refitted(law)
		if err != nil {
			return nil, nil, err
		}
		return refitted, []float64{replicate.censoredDistance(refitted)}, nil
	})
	if err != nil {
		return stats.Significance{}, nil, err
	}
	return found[0], laws, nil
}

// drawKilled draws n jobs as the task has them.
func (t task) drawKilled(rng *rand.Rand, law dist.Law, n int, limits jobLimits, walk *cellWalk) (x []float64, s Sample) {
	var counts, killed []float64
	if walk != nil {
		x, counts, killed = walk.draw(rng, n)
	} else {
		x, counts, killed = t.drawOneByOne(rng, law, n, limits)
	}
	return x, Sample{Values: x, Counts: counts, Censored: killed} // the fit takes values from x
}

// drawOneByOne is draw from the law itself: n transformed values as the task
// has them, with how many jobs have each and how many of these were killed.
// What the fit would leave out is drawn again.
func (t task) drawOneByOne(rng *rand.Rand, law dist.Law, n int, limits jobLimits) (x, counts, killed []float64) {
	var ended, cut []float64
	for range n * mostDraws {
		if len(ended)+len(cut) == n {
			break
		}
		v, limit := t.options.Transform.Invert(law.Rand(rng)), limits.draw(rng)
		if at, ok := t.drawn(min(v, limit)); ok && v < limit {
			ended = append(ended, at)
		} else if ok {
			cut = append(cut, at)
		}
	}
	x, counts = stats.Distinct(append(append([]float64(nil), ended...), cut...))
	killed = make([]float64, len(x))
	at, n2 := stats.Distinct(cut)
	for i, j := 0, 0; j < len(at); i++ {
		if x[i] == at[j] {
			killed[i] = n2[j]
			j++
		}
	}
	return x, counts, killed
}

// drawn is the transformed value that the task has of a job of value v of the
// attribute. It is false where the fit would leave the job out.
func (t task) drawn(v float64) (x float64, ok bool) {
	o := t.options
	if o.Rounding == NoRounding {
		if o.Resolution > 0 {
			v = o.Resolution * math.Round(v/o.Resolution)
		}
		if !(v > t.family.least(o.Transform)) || math.IsInf(v, 1) {
			return 0, false
		}
		return o.Transform.Apply(v), true
	}
	v = o.Rounding.value(v, o.Resolution)
	lo, hi := o.Rounding.Cell(v, o.Resolution)
	lo = max(lo, o.Transform.least())
	if o.Max > 0 {
		hi = min(hi, o.Max)
	}
	if !(lo < hi) || math.IsInf(hi, 1) {
		return 0, false
	}
	return o.Transform.Apply((lo + hi) / 2), true
}
