package evaluate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/stats"
)

// RunTimeLoss is the score that the point prediction of the first kernel optimises, if no
// other field has it: squared errors, and squared errors of logarithms.
type RunTimeLoss struct {
	Objective stats.Objective `json:"objective" csv:"-"`
	Mean      stats.Number    `json:"mean" show:"objective loss" better:"low"` // of stats.Objective.Loss, over the predicted jobs
}

// hasLoss says whether an objective is not among the scores of every run.
func hasLoss(o stats.Objective) bool { return o == stats.BySquared || o == stats.ByLog }

// quantilesOf finds which entries have bounds, and of which quantile: quantile, whose
// predictions they are, and kernel, which is asked for that of its distribution.
func (r *runTimes) quantilesOf() error {
	for i := range r.entries {
		r.quantiles = append(r.quantiles, math.NaN())
		if i < len(r.o.quantiles) {
			r.quantiles[i] = r.o.quantiles[i]
		}
		e := &r.entries[i]
		if e.Own != nil || i >= len(r.entries)-len(r.o.Programs) {
			continue
		}
		rule, err := runtime.RuleNamed(e.Predictor, e.Rules)
		if err != nil {
			return err
		}
		if q := runtime.Level(rule); q > 0 {
			r.quantiles[i] = q
		}
		if runtime.HasClasses(rule) {
			continue
		}
		if e.Own, err = rule.New(); err != nil {
			return err
		}
		if k, ok := e.Own.(*runtime.Kernel); ok && hasLoss(k.Objective()) && r.losses == nil {
			r.objective, r.losses = k.Objective(), make([]stats.Moments, len(r.entries))
		}
	}
	return nil
}

// addBounds enters the bounds of one job, which has just been predicted.
func (r *runTimes) addBounds(row *runtime.Row) {
	for i, q := range r.quantiles {
		if math.IsNaN(q) {
			continue
		}
		bound := row.Predictions[i].Seconds
		if k, ok := r.entries[i].Own.(*runtime.Kernel); ok {
			bound = math.NaN()
			if d, ok := k.Last(); ok {
				bound = d.Quantile(q)
			}
		}
		r.bounds[i].Add(q, bound, row.Job.Run)
	}
}
