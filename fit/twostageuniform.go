package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
	"github.com/loadstone-hpc/loadstone/fit/internal/stages"
)

// fitTwoStageUniform fits a two-stage uniform law to the transformed
// attribute by least squares of its distribution function: at every distinct
// value, weighted by its jobs, against the middle of the sample's jump there.
// Lublin and Feitelson (2003), section 3.1.
func fitTwoStageUniform(t task) (outcome, error) {
	if err := t.need(5, 3); err != nil {
		return outcome{}, err
	}
	p := em.NewPoints(t.x, t.sample.Counts).Press()
	rows := make([]stages.Row, p.Len())
	before := 0.0
	for i, x := range p.X {
		rows[i] = stages.Row{Near: x, Target: (before + p.W[i]/2) / p.Total(), Weight: p.W[i]}
		before += p.W[i]
	}
	return t.stages(rows)
}

// stages returns the outcome of the search over rows.
func (t task) stages(rows []stages.Row) (outcome, error) {
	law, iterations, converged := stages.FitTwoStage(rows, math.Inf(-1), math.Inf(1))
	if dist.Validate(law) != nil {
		return outcome{}, t.degenerate("no two stages fit")
	}
	return outcome{law: law, free: 4, status: endOf(converged), iterations: iterations}, nil
}

// endOf returns the status of a search.
func endOf(converged bool) Status {
	if converged {
		return Converged
	}
	return IterationLimit
}
