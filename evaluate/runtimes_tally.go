package evaluate

import (
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// runTimeTally gathers the scores of one entry.
type runTimeTally struct {
	score.RunTimeTally
	bound  score.BoundTally // its Quantile is 0 if no bounds are predicted
	kernel *runtime.Kernel  // its Bound is scored; nil if the predictions themselves are the bounds
}

// newTallies creates the tallies of the entries, and the kernels, which are also asked for a
// bound. runtime.KernelAbsolute shares the kernel of the entry before it if their levels match.
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

// tally tallies a job with its predictions.
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

// add tallies a job. It must follow the job's prediction, whose Bound the kernel remembers.
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

// enter fills in the scores of a row of the result.
func (t *runTimeTally) enter(s *RunTimeScore) {
	if s.RunTime, s.RunTimeDetail = t.Detail(); t.bound.Quantile > 0 {
		s.Bound = t.bound.RunTimes()
	}
}

// runTimesPart is one way of cutting the log into parts, with the scores of the parts.
type runTimesPart struct {
	cut
	score.Groups
}
