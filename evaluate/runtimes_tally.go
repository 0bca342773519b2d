package evaluate

import (
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// runTimeTally gathers the scores of one entry.
type runTimeTally struct {
	score.RunTimeTally
	bound  score.BoundTally // of a Quantile of 0 where no bounds are predicted
	kernel *runtime.Kernel  // whose Bound is scored; nil for a predictor that predicts bounds
}

// newTallies creates the tallies of the entries, and the kernels, which are asked for a
// bound too. runtime.KernelAbsolute shares that of the entry before it.
func (r *runTimes) newTallies() error {
	r.tallies = make([]runTimeTally, len(r.entries))
	for i := range r.entries {
		t, e := &r.tallies[i], &r.entries[i]
		if r.o.table != nil {
			t.bound.Quantile = r.o.table.Predictors[i].Quantile
		}
		if e.Own != nil || i >= len(r.entries)-len(r.o.Programs) {
			continue
		}
		rule, err := runtime.RuleNamed(e.Predictor, e.Rules)
		if err != nil {
			return err
		}
		t.bound.Quantile = runtime.Level(rule)
		if runtime.HasClasses(rule) {
			continue
		}
		if i > 0 && e.Predictor == runtime.KernelAbsolute && r.tallies[i-1].kernel != nil && r.tallies[i-1].bound.Quantile == t.bound.Quantile {
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
	if t.bound.Quantile == 0 {
		return
	}
	if t.kernel != nil {
		predicted = t.kernel.Bound()
	}
	t.bound.Add(predicted, actual)
}

// enter puts the scores into a row of the result.
func (t *runTimeTally) enter(s *RunTimeScore) {
	if s.RunTime, s.RunTimeDetail = t.Detail(); t.bound.Quantile > 0 {
		s.Bound = t.bound.RunTimes()
	}
}

// runTimesPart is one way of cutting the log into parts, and the scores by it.
type runTimesPart struct {
	cut
	score.Groups
}
