package fit

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// bootstrap returns the options for replicates of the task's sample, which are drawn from the
// law, rounded as the data were, and fitted again.
func (t task) bootstrap(law dist.Law, tests stats.Tests) stats.Bootstrap {
	return stats.Bootstrap{
		Draw:       t.draw,
		Refit:      func(values, counts []float64) (dist.Law, error) { return t.refit(values, counts, law) },
		Replicates: t.options.Replicates,
		Tests:      tests,
		Seed:       t.options.Seed,
		Workers:    t.options.Workers,
	}
}

// mostDraws is the largest average number of draws for each job, because values that the fit
// would leave out are drawn again.
const mostDraws = 100

// draw returns n transformed values of law, rounded, as distinct values with counts; values that
// the fit would leave out are drawn again.
func (t task) draw(rng *rand.Rand, law dist.Law, n int) (values, counts []float64) {
	transform, least := t.transform, t.family.least(t.attribute)
	v := make([]float64, 0, n)
	x := make([]float64, 0, n)
	for range n * mostDraws {
		if len(v) == n {
			break
		}
		y := law.Rand(rng)
		a := transform.Invert(y)
		if cell := t.options.Resolution; cell > 0 {
			a = cell * math.Round(a/cell)
		}
		if a > least && !math.IsInf(a, 1) {
			v, x = append(v, a), append(x, y)
		}
	}
	if t.options.Resolution <= 0 {
		return stats.Distinct(x)
	}
	// Transform only the distinct rounded values.
	values, counts = stats.Distinct(v)
	for i, a := range values {
		values[i] = transform.Apply(a)
	}
	return values, counts
}

// refitted is the law of a replicate with its published parameters.
type refitted struct {
	dist.Law
	parameters []dist.Parameter
}

// refit fits the task's family to transformed values drawn from near.
func (t task) refit(values, counts []float64, near dist.Law) (dist.Law, error) {
	t.x = values
	t.sample = Sample{Values: values, Counts: counts} // only its counts are used
	return t.refitted(near)
}

// refitted fits the task's family to its sample, which was drawn from near.
func (t task) refitted(near dist.Law) (dist.Law, error) {
	t.options.Workers = 1 // replicates run in parallel
	if t.options.Replicated != nil {
		defer t.options.Replicated()
	}
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
	return &refitted{out.law, out.published()}, dist.Validate(out.law)
}

// Refit fits the report's family to a sample similar to that of the report, such as a resample of
// it. It starts from the report's law and uses its resolution. If binned is set, a mixture is
// fitted to a sample binned to a tenth as many values, which changes it by at most a hundredth of
// the effect of resampling weeks.
func (r Report) Refit(drawn Sample, binned bool) (dist.Law, error) {
	o := Options{By: r.By, Resolution: r.Resolution}
	f, err := o.familyOf(r.Family)
	if err != nil {
		return nil, err
	}
	t := newTask(f, r.Attribute, drawn, o)
	t.pressed = binned
	if len(t.x) == 0 {
		return nil, t.degenerate("no job is left")
	}
	law, err := t.refitted(r.Law)
	if err != nil {
		return nil, err
	}
	return law.(*refitted).Law, nil
}
