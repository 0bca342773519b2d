package fit

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/stages"
)

// fitUniformLog fits Downey's law of lifetimes to the attribute itself, by least squares: the
// line F = intercept + slope ln t through the jobs, without the shortest and the longest. Downey
// (1997), "Predicting queue times on space-sharing parallel computers", section 2.
//
// A job is a point at its plotting position (rank - 0.5)/n among all n jobs, including those left
// out of the line; tied jobs have separate ranks. The sums are over the jobs, but their cost
// depends on the number of distinct values.
func fitUniformLog(t task) (outcome, error) {
	line, ok := stages.FitUniform(t.x, t.sample.Counts, t.options.Trim)
	if !ok {
		return outcome{}, t.degenerate(fmt.Sprintf("want two distinct values among the jobs from %g to %g of the ranks",
			t.options.Trim, 1-t.options.Trim))
	}
	law, err := dist.NewUniformLog(line.Intercept, line.Slope)
	if err != nil {
		return outcome{}, t.degenerate(err.Error())
	}
	out := outcome{law: law, free: 2, status: Converged}
	out.parameters = []dist.Parameter{
		{Name: "intercept", Value: line.Intercept},
		{Name: "slope", Value: line.Slope},
		{Name: rSquaredName, Value: line.RSquared},
		{Name: t.unitless("t_min_s"), Value: law.TMin},
		{Name: t.unitless("t_max_s"), Value: law.TMax},
	}
	t.warnTrimmed(&out, line.Jobs)
	return out, nil
}

// unitless returns the name of a parameter, without t_ and _s if the attribute is not a time.
func (t task) unitless(name string) string {
	if t.attribute == RunTime || t.attribute == Interarrival {
		return name
	}
	return strings.TrimPrefix(strings.TrimSuffix(name, "_s"), "t_")
}

// warnTrimmed warns if the line is fitted to only a part of the jobs.
func (t task) warnTrimmed(out *outcome, kept float64) {
	if jobs := t.sample.Jobs(); int64(kept) < jobs {
		out.warn("the line is fitted to %d of the %d jobs, without the shortest and the longest %g %%", int64(kept), jobs, 100*t.options.Trim)
	}
}
