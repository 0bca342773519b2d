package generate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// quantiles turns a uniform number into a run time of a class, so that numbers
// near each other give run times near each other. The two components of the
// law follow one another: numbers below the first one's share are its own.
type quantiles struct {
	components [2]dist.Law // of seconds, or of ln where they are Gammas of it
	line       model.Line
	single     bool // the first component is all
	ln         bool
	limit      float64    // s or ln s, +Inf for none
	mass       [2]float64 // of the components below limit

	speedup model.Speedup // where the components are of the work, else nil
	work    model.Work
}

func newQuantiles(c model.Class, o Options) (q quantiles) {
	switch r := c.RunTimes.(type) {
	case model.WorkRunTimes:
		q.ln, q.limit, q.speedup, q.work = true, limitLn(r.MaxLn, o), r.Speedup, *c.Work
		q.components = [2]dist.Law{q.work.Law.First, q.work.Law.Second}
		if o.Exact {
			q.work.MaxLn = model.MaxLnWork
		}
		return q // the mass depends on the size
	case model.SecondsRunTimes:
		q.line, q.limit = r.Line, limitSeconds(r.Max, o)
		q.components = [2]dist.Law{r.First, r.Second}
		if r.Second == nil {
			q.components[1], q.single = r.First, true
		}
	case model.LnRunTimes:
		q.line, q.ln, q.limit = r.Line, true, limitLn(r.MaxLn, o)
		q.components = [2]dist.Law{r.Law.First, r.Law.Second}
	}
	q.mass = [2]float64{q.components[0].CDF(q.limit), q.components[1].CDF(q.limit)}
	return q
}

// at returns the run time of a job of a size, in seconds, for u in [0, 1].
func (q *quantiles) at(size int64, u float64) float64 {
	share, mass, limit, speedup := q.line.P(size), q.mass, q.limit, 1.0
	switch {
	case q.speedup != nil:
		speedup = q.speedup.At(size)
		limit = min(q.work.MaxLn, q.limit+math.Log(speedup))
		share, mass = q.work.Law.P, [2]float64{q.components[0].CDF(limit), q.components[1].CDF(limit)}
	case q.single:
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
		x = math.Exp(x)
	}
	return x / speedup
}
