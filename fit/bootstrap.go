package fit

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// bootstrap is how replicates of the task's sample are made: drawn from the
// law, rounded as the data were, and fitted again.
func (t task) bootstrap(law dist.Law) stats.Bootstrap {
	return stats.Bootstrap{
		Draw:       t.draw,
		Refit:      func(values, counts []float64) (dist.Law, error) { return t.refit(values, counts, law) },
		Replicates: t.options.Replicates,
		Seed:       t.options.Seed,
		Workers:    t.options.Workers,
	}
}

// mostDraws bounds how often a value that the fit would leave out is drawn
// again, on average a job.
const mostDraws = 100

// draw returns n transformed values of law, rounded; what the fit would leave
// out is drawn again.
func (t task) draw(rng *rand.Rand, law dist.Law, n int) []float64 {
	transform, cell := t.options.Transform, t.options.Resolution
	x := make([]float64, 0, n)
	for range n * mostDraws {
		if len(x) == n {
			break
		}
		y := law.Rand(rng)
		if cell > 0 {
			y = transform.Apply(cell * math.Round(transform.Invert(y)/cell))
		}
		if y > 0 && !math.IsInf(y, 1) {
			x = append(x, y)
		}
	}
	return x
}

// refit fits the task's family to transformed values drawn from near.
func (t task) refit(values, counts []float64, near dist.Law) (dist.Law, error) {
	t.x = values
	t.sample = Sample{Values: values, Counts: counts} // only jobs are counted
	t.options.Workers = 1                             // the replicates are what runs in parallel
	var (
		out outcome
		err error
	)
	if t.family.refit != nil {
		out, err = t.family.refit(t, near)
	} else {
		out, err = t.family.fit(t)
	}
	if err != nil {
		return nil, err
	}
	return out.law, dist.Validate(out.law)
}
