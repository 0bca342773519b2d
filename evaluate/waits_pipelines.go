package evaluate

import (
	"context"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// waitsOutcome is what comes of a pipeline.
type waitsOutcome struct {
	odd workload.Warnings // of what a simulation leaves out
	// simulated says that these are of a simulation: all of them leave out the
	// same jobs, which are counted once.
	simulated bool
	noWaits   bool // the log has none to be bounded: an error where nothing else is scored
	remarks   []workload.Warning
	leftOut   []PredictorLeftOut

	lifetimes  *predict.LawSummary
	processors int64
	needed     score.Needed
	tallies    []*waitTally
}

// remark keeps a warning.
func (o *waitsOutcome) remark(rule, format string, args ...any) {
	o.remarks = append(o.remarks, workload.Warning{Rule: rule, Text: fmt.Sprintf(format, args...), Count: 1})
}

// leaveOut notes predictors that were asked for and are not scored.
func (o *waitsOutcome) leaveOut(why string, names ...string) {
	for _, name := range names {
		o.leftOut = append(o.leftOut, PredictorLeftOut{name, why})
	}
}

// waitsPipeline scores some of the predictors, in a run of its own.
type waitsPipeline func(*waits, context.Context) error

// pipelines are those of the predictors asked for, in the order of the result, but for
// askSample.
func (r *waits) pipelines() []waitsPipeline {
	fcfs, easy, out := r.queueNames()
	list := []waitsPipeline{(*waits).heads}
	if len(out) > 0 {
		list = append(list, func(r *waits, _ context.Context) error {
			const why = "no job has an estimate of its run time"
			r.remark("no-estimates", "%s: %s left out", why, strings.Join(out, " and "))
			r.leaveOut(why, out...)
			return nil
		})
	}
	for _, queue := range []struct {
		policy  sched.Policy
		names   []string
		waiting string
	}{{sched.FCFS{}, fcfs, QueueWaits}, {sched.EASY{}, easy, EASYWaits}} {
		for _, names := range r.together(queue.names) {
			list = append(list, func(r *waits, ctx context.Context) error {
				return r.queueUnder(ctx, queue.policy, names, queue.waiting)
			})
		}
	}
	return append(list, (*waits).bounds)
}

// together says which of the predictors that simulate a queue share a pipeline:
// each has its own, since they take long, but where predictions are handed out,
// job by job.
func (r *waits) together(names []string) [][]string {
	if r.o.Predicted != nil {
		return [][]string{names}
	}
	var out [][]string
	for _, name := range names {
		out = append(out, []string{name})
	}
	return out
}

// mostAtOnce bounds the memory of pipelines, each of which may read the log.
const mostAtOnce = 4

// workers is how many pipelines run at once.
func (r *waits) workers() int {
	if r.o.Predicted != nil {
		return 1
	}
	return min(mostAtOnce, par.Workers(0))
}

// score runs the pipelines. What comes of them is as if they ran one after
// another: an error ends those behind it, and is returned, with the outcomes of those
// before it, when these are done.
func (r *waits) score(ctx context.Context) ([]waitsOutcome, error) {
	list := append(r.pipelines(), (*waits).askSample)
	runs, errs, outcomes := make([]waits, len(list)), make([]error, len(list)), []waitsOutcome(nil)
	under, end := make([]context.Context, len(list)), make([]context.CancelFunc, len(list))
	for i := range list {
		runs[i] = *r
		runs[i].waitsOutcome = waitsOutcome{}
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
		if errs[i] != nil {
			return outcomes, errs[i]
		}
		outcomes = append(outcomes, runs[i].waitsOutcome)
	}
	return outcomes, nil
}

// take enters what came of the next pipeline.
func (r *waits) take(o *waitsOutcome) error {
	r.remarks = append(r.remarks, o.remarks...)
	for _, t := range o.tallies {
		t.run = r
	}
	switch {
	case o.noWaits && len(r.tallies) == 0:
		return r.noWaitsFault()
	case o.noWaits:
		names := append(r.boundsAsked(), programs(r.o.Programs).labels()...)
		r.remark("no-waits", "%v: %s left out", predict.ErrNoWaits, strings.Join(names, " and "))
		r.leaveOut(predict.ErrNoWaits.Error(), names...)
	}
	if o.simulated && !r.simulated {
		r.odd.Merge(&o.odd)
		r.simulated = true
	}
	r.leftOut = append(r.leftOut, o.leftOut...)
	if o.lifetimes != nil {
		r.lifetimes = o.lifetimes
	}
	if o.processors != 0 {
		r.processors = o.processors
	}
	if o.needed.Jobs > 0 {
		r.needed = o.needed
	}
	r.tallies = append(r.tallies, o.tallies...)
	return nil
}
