package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// predictOutcome is what comes of pipelines.
type predictOutcome struct {
	warnings workload.Warnings // of what a simulation leaves out
	// simulated says that warnings are those of a simulation: all of them leave
	// out the same jobs, which are counted once.
	simulated bool
	noWaits   bool // the log has none to be bounded: an error where nothing else is scored
	remarks   []string
	leftOut   map[string]string // predictors that were asked for, and why they are not scored

	lifetimes   *fit.Report
	processors  int64
	needed      score.Needed
	threshold   *predict.Threshold
	scores      []predictScore
	calibration []predictCalibration
}

// remark keeps a warning until it is the pipeline's turn to say it.
func (o *predictOutcome) remark(format string, args ...any) {
	o.remarks = append(o.remarks, fmt.Sprintf(format, args...))
}

// pipeline scores some of the predictors, in a run of its own. It reads the log
// for itself, as often as it needs to: the log may be too large to be held.
type pipeline func(*predictRun, context.Context) error

// pipelines are those of the predictors asked for, in the order of the result.
func (r *predictRun) pipelines() []pipeline {
	fcfs, easy, out := r.queueNames()
	list := []pipeline{(*predictRun).heads}
	if len(out) > 0 {
		list = append(list, func(r *predictRun, _ context.Context) error {
			r.remark("%s: no job has an estimate of its run time: %s left out; --estimate-factor draws them", r.o.input, strings.Join(out, " and "))
			r.leaveOut("no job has an estimate of its run time", out...)
			return nil
		})
	}
	for _, queue := range []struct {
		policy  sched.Policy
		names   []string
		waiting string
	}{{sched.FCFS{}, fcfs, waitsQueued}, {sched.EASY{}, easy, waitsQueuedEASY}} {
		for _, names := range r.together(queue.names) {
			list = append(list, func(r *predictRun, ctx context.Context) error {
				return r.queueUnder(ctx, queue.policy, names, queue.waiting)
			})
		}
	}
	list = append(list, (*predictRun).bounds)
	if !r.calibrates() {
		return list
	}
	for _, name := range r.chosen([]string{"bmbp", "qbets"}) {
		list = append(list, func(r *predictRun, ctx context.Context) error { return r.calibrateBound(ctx, name) })
	}
	return list
}

// together says which of the predictors that simulate a queue share a pipeline:
// each has its own, since they take long, but where a table of predictions is
// written.
func (r *predictRun) together(names []string) [][]string {
	if r.save != nil {
		return [][]string{names}
	}
	var out [][]string
	for _, name := range names {
		out = append(out, []string{name})
	}
	return out
}

// mostAtOnce bounds the memory of readers: a pipeline's takes up to 100 MB.
const mostAtOnce = 4

// workers is how many pipelines run at once. The rows of a table of predictions
// are by job, and are written as they come.
func (r *predictRun) workers() int {
	if r.save != nil {
		return 1
	}
	return min(mostAtOnce, par.Workers(0))
}

// score runs the pipelines. What comes of them, and what is said, is as if they
// ran one after another: an error ends those behind it, and is returned when
// those before it are done.
func (r *predictRun) score(ctx context.Context) error {
	list := r.pipelines()
	runs, errs := make([]predictRun, len(list)), make([]error, len(list))
	under, end := make([]context.Context, len(list)), make([]context.CancelFunc, len(list))
	for i := range list {
		runs[i] = *r
		runs[i].predictOutcome = predictOutcome{}
		under[i] = ctx
		ctx, end[i] = context.WithCancel(ctx)
		defer end[i]()
	}
	par.Each(r.workers(), len(list), func(i int) {
		if errs[i] = list[i](&runs[i], under[i]); errs[i] != nil {
			end[i]()
		}
	})
	for i := range list {
		if err := r.take(&runs[i].predictOutcome, errs[i]); err != nil {
			return err
		}
	}
	return nil
}

// take enters what came of the next pipeline.
func (r *predictRun) take(o *predictOutcome, err error) error {
	for _, text := range o.remarks {
		r.app.warn("%s", text)
	}
	switch {
	case err != nil:
		return err
	case o.noWaits && len(r.scores) == 0:
		return errNoWaits
	case o.noWaits:
		names := r.chosen(allBoundNames())
		r.app.warn("%s: %v: %s left out; %s", r.o.input, predict.ErrNoWaits, strings.Join(names, " and "), hintSimulate)
		r.leaveOut(predict.ErrNoWaits.Error(), names...)
	}
	if o.simulated && !r.simulated {
		r.warnings.Merge(&o.warnings)
		r.simulated = true
	}
	for name, why := range o.leftOut {
		r.leaveOut(why, name)
	}
	if o.lifetimes != nil {
		r.lifetimes = o.lifetimes
	}
	if o.processors != 0 {
		r.processors = o.processors
	}
	if o.threshold != nil {
		r.threshold = o.threshold
	}
	if o.needed.Jobs > 0 {
		r.needed = o.needed
	}
	r.scores = append(r.scores, o.scores...)
	r.calibration = append(r.calibration, o.calibration...)
	return nil
}
