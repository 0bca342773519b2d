package generate

import (
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/model"
)

// quantiles turns a uniform number into a run time of a class, so that numbers
// near each other give run times near each other. The two components of the
// law follow one another: numbers below the first one's share are its own.
type quantiles struct {
	class      model.Class
	components [2]dist.Law // of seconds, or of ln where they are Gammas of it
	ln         bool
	limit      float64 // s or ln s, +Inf for none
	workLimit  float64
	mass       [2]float64 // of the components below limit
}

func newQuantiles(c model.Class, o Options) quantiles {
	r := c.RunTimes
	q := quantiles{class: c, ln: true, limit: limitLn(r.MaxLn, o)}
	switch {
	case r.Speedup != nil:
		q.workLimit = c.Work.MaxLn
		q.components = [2]dist.Law{c.Work.Law.First, c.Work.Law.Second}
		if o.Exact {
			q.workLimit = model.MaxLnWork
		}
		return q // the mass depends on the size
	case r.First != nil:
		q.ln, q.limit = false, limitSeconds(r.MaxSeconds, o)
		q.components = [2]dist.Law{r.First, r.Second}
		if r.Second == nil {
			q.components[1] = r.First
		}
	default:
		q.components = [2]dist.Law{r.Law.First, r.Law.Second}
	}
	q.mass = [2]float64{q.components[0].CDF(q.limit), q.components[1].CDF(q.limit)}
	return q
}

// at returns the run time of a job of a size, in seconds, for u in [0, 1].
func (q *quantiles) at(size int64, u float64) float64 {
	share, mass, limit, speedup := q.class.RunTimes.P(size), q.mass, q.limit, 1.0
	switch r := q.class.RunTimes; {
	case r.Speedup != nil:
		speedup = r.Speedup.At(size)
		limit = min(q.workLimit, q.limit+num.Log(speedup))
		share, mass = q.class.Work.Law.P, [2]float64{q.components[0].CDF(limit), q.components[1].CDF(limit)}
	case r.First != nil && r.Second == nil:
		share = 1
	}
	first, second := share*mass[0], (1-share)*mass[1]
	first /= first + second
	var x float64
	if u < first {
		x = q.components[0].Quantile(u / first * mass[0])
	} else {
		x = q.components[1].Quantile(min(1, (u-first)/(1-first)) * mass[1])
	}
	x = min(x, limit)
	if q.ln {
		x = num.Exp(x)
	}
	return x / speedup
}
