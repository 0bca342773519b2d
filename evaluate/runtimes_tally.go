package evaluate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// runTimeTally gathers the scores of one entry.
type runTimeTally struct {
	score.RunTimeTally
	quantile float64 // that bounds predict; NaN for none
	bound    score.RunTimeBoundTally
	kernel   *runtime.Kernel // whose Bound is scored; nil for a predictor that predicts bounds
}

// newTallies creates the tallies of the entries, and the kernels, which are asked for a
// bound too. runtime.KernelAbsolute shares that of the entry before it.
func (r *runTimes) newTallies() error {
	r.tallies = make([]runTimeTally, len(r.entries))
	for i := range r.entries {
		t, e := &r.tallies[i], &r.entries[i]
		if t.quantile = math.NaN(); r.o.table != nil {
			t.quantile = r.o.table.Predictors[i].Quantile
		}
		if e.Own != nil || i >= len(r.entries)-len(r.o.Programs) {
			continue
		}
		rule, err := runtime.RuleNamed(e.Predictor, e.Rules)
		if err != nil {
			return err
		}
		if q := runtime.Level(rule); q > 0 {
			t.quantile = q
		}
		if runtime.HasClasses(rule) {
			continue
		}
		if i > 0 && e.Predictor == runtime.KernelAbsolute && r.tallies[i-1].kernel != nil && r.tallies[i-1].quantile == t.quantile {
			t.kernel = r.tallies[i-1].kernel
			e.Own = t.kernel.For(stats.ByAbsolute)
			continue
		}
		e.Own = rule.New()
		t.kernel, _ = e.Own.(*runtime.Kernel)
	}
	return nil
}

// tally enters a job.
func (r *runTimes) tally(row *runtime.Row) {
	common := r.common.Add(row.Predictions, row.Job.Run)
	for i, p := range row.Predictions {
		r.tallies[i].add(p.Seconds, row.Job.Run)
	}
	if r.o.Replicates > 0 {
		r.users.Add(row.Job.User, row.Predictions, row.Job.Run, common)
	}
	for i := range r.parts {
		p := &r.parts[i]
		p.Add(p.part(&row.Job.Request, row.Job.Run), row.Predictions, row.Job.Run, common)
	}
}

// add enters one job, which has just been predicted.
func (t *runTimeTally) add(predicted, actual float64) {
	t.Add(predicted, actual)
	if math.IsNaN(t.quantile) {
		return
	}
	if t.kernel != nil {
		predicted = t.kernel.Bound()
	}
	t.bound.Add(t.quantile, predicted, actual)
}

// enter puts the scores into a row of the result.
func (t *runTimeTally) enter(s *RunTimeScore) {
	s.RunTime, s.RunTimeDetail = t.Detail()
	s.Bound = t.bound.Result(t.quantile)
}

// runTimesPart is one way of cutting the log into parts, and the scores by it.
type runTimesPart struct {
	cut
	score.Groups
}
