package evaluate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/stats"
)

// RunTimeLoss is the score that the kernel's point prediction optimises, if no
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
	rules := r.o.Rules.Filled()
	for i := range r.entries {
		e := &r.entries[i]
		quantile := math.NaN()
		switch {
		case i < len(r.o.quantiles):
			quantile = r.o.quantiles[i]
		case e.Own != nil:
		case e.Predictor == runtime.QuantileName:
			quantile = rules.Quantile
		case e.Predictor == runtime.KernelName:
			k, err := runtime.NewKernel(e.Options)
			if err != nil {
				return err
			}
			e.Own, r.kernel, quantile = k, k, rules.Quantile
		}
		r.quantiles = append(r.quantiles, quantile)
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
