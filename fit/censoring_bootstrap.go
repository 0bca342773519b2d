package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
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
	if t.options.Tests || t.options.SampledTest {
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
	if ks := r.KS; ks.Failed > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d bootstrap replicates could not be refitted and are left out", ks.Failed, ks.Replicates))
	}
	if t.options.Intervals > 0 {
		if r.Intervals, err = t.intervals(r.Parameters, laws); err != nil {
			r.Warnings = append(r.Warnings, err.Error())
		} else {
			r.Warnings = append(r.Warnings, r.Intervals.outside(r.Parameters)...)
		}
	}
	return nil
}

// censoredReplicate is a refitted law and its distance, or why there is none.
type censoredReplicate struct {
	law dist.Law
	d   float64
	err error
}

// censoredBootstrap returns the p-value of the distance d, as
// stats.GoodnessOfFitBootstrap does, and the refitted laws.
func (t task) censoredBootstrap(law dist.Law, d float64) (stats.Significance, []dist.Law, error) {
	limits := t.limits()
	n := int(t.sample.Jobs())
	walk := t.newCellWalk(law, n, limits)
	replicates := par.Map(t.options.Workers, par.Numbers(context.Background(), t.options.Replicates), func(i int) (censoredReplicate, error) {
		rng := rand.New(rand.NewPCG(t.options.Seed, uint64(i)))
		replicate := t
		replicate.x, replicate.sample = t.drawKilled(rng, law, n, limits, walk)
		refitted, err := replicate.refitted(law)
		if err != nil {
			return censoredReplicate{err: err}, nil
		}
		return censoredReplicate{refitted, replicate.censoredDistance(refitted), nil}, nil
	}, nil)
	s := stats.Significance{Method: stats.ParametricBootstrap, Seed: t.options.Seed}
	var laws []dist.Law
	var lastErr error
	for r := range replicates {
		s.Replicates++
		switch {
		case r.err != nil:
			s.Failed++
			lastErr = r.err
			continue
		case r.d >= d:
			s.Exceeded++
		}
		laws = append(laws, r.law)
		if s.Stopped = s.Exceeded == t.options.Sequential && s.Exceeded > 0; s.Stopped {
			break
		}
	}
	drawn := s.Replicates - s.Failed
	switch {
	case drawn == 0:
		return s, nil, fmt.Errorf("bootstrap: none of %d replicates could be refitted: %w", s.Replicates, lastErr)
	case s.Stopped:
		s.PValue = float64(s.Exceeded) / float64(drawn)
	default:
		s.PValue = float64(1+s.Exceeded) / float64(1+drawn)
	}
	return s, laws, nil
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
