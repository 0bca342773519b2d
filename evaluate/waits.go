package evaluate

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Waits scores predictors of wait: Downey's at the head of a simulated queue,
// those that simulate the queue at a job's submission, and bounds of the log's
// own waits. Each of these pipelines replays the log, so that no predictor sees
// the future; they run side by side, and the result does not depend on the
// number of cores. The bounds, including custom ones, learn from the first tenth of the
// jobs and are scored on the rest.
//
// The way of a log is: the options (waits_options.go) name predictors, a survey (this file) holds the
// log, which pipelines (waits_pipelines.go) replay, its own waits with predict/replay.go and
// workload/timeline.go; tallies (waits_tally.go) and the sample on which all predictors
// compare (sample.go) take each job with the predictions, and make the result
// (waits_result.go).
//
// An option that cannot be used is a *workload.OptionError. Where only bounds
// are asked for, a log without waits is an error that wraps predict.ErrNoWaits;
// where a queue is simulated and the machine's size is not known, one that wraps
// workload.ErrNoMachine. A fault of the log is its reader's error. The log is read
// to its end, not closed;
// another call takes a log opened anew.
func Waits(ctx context.Context, log *workload.Log, o WaitsOptions) (*WaitsResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	r := &waits{o: o.filled(), log: log}
	for _, words := range [][]string{r.o.Classes, r.o.Groups} {
		by, err := workload.ClassesOf(words, r.grouping())
		if err != nil {
			return nil, err
		}
		log.WatchClasses(by, true)
	}
	if err := r.survey(ctx); err != nil {
		return nil, err
	}
	if err := r.drawSample(ctx); err != nil {
		return nil, err
	}
	return r.score(ctx)
}

// waits is one call of Waits. The pipelines share it, and alter only its sample.
type waits struct {
	o     WaitsOptions
	log   *workload.Log
	clock workload.Clock
	odd   workload.Warnings // of what the log's jobs lack
	outcome

	jobs  int
	cut   bool             // the log has more jobs, which are left out
	holds bool             // held has all jobs
	held  [][]workload.Job // by submission, in blocks

	span      submissions
	known     int64   // jobs whose wait is known
	estimates bool    // some job has one
	users     bool    // some job's is known
	sample    *Sample // jobs on which all predictors are scored; nil for none

	processors int64 // of the single machine that is simulated; 0 for none
	lifetimes  *predict.LawSummary
	tallies    []*waitTally
}

// outcome is the remarks on some predictors.
type outcome struct {
	remarks []workload.Warning
	leftOut []PredictorLeftOut
}

// remark keeps a warning.
func (o *outcome) remark(rule, format string, args ...any) {
	o.remarks = append(o.remarks, workload.Warning{Rule: rule, Text: fmt.Sprintf(format, args...), Count: 1})
}

// leaveOut notes predictors that were asked for and are not scored, and warns of them.
func (o *outcome) leaveOut(rule, why string, names ...string) {
	o.remark(rule, "%s: %s left out", why, strings.Join(names, ", "))
	for _, name := range names {
		o.leftOut = append(o.leftOut, PredictorLeftOut{name, why})
	}
}

// survey reads the log a first time: it counts the jobs, and holds them as long
// as they are not too many.
func (r *waits) survey(ctx context.Context) error {
	if r.log.Lacks(workload.ColWaitTime) && r.boundsOnly() {
		return r.noWaitsFault()
	}
	r.holds = true
	jobs := r.o.watched(workload.InOrder(workload.Until(ctx, r.log.Jobs()), &r.odd), 0)
	if r.o.table != nil {
		jobs = r.o.table.Watch(jobs)
	}
	for j, err := range jobs {
		if err != nil {
			return err
		}
		if r.o.FirstJobs > 0 && r.jobs == r.o.FirstJobs {
			r.cut = true
			break
		}
		r.jobs++
		if predict.HasWait(&j) {
			r.known++
		}
		r.estimates = r.estimates || j.Time > 0
		r.users = r.users || j.User != workload.Unknown
		r.span.add(j.Submit)
		r.hold(&j)
	}
	if r.known == 0 && r.boundsOnly() {
		return r.noWaitsFault()
	}
	r.clock, _ = r.log.Header.Clock()
	r.span.settle()
	return nil
}

// boundsOnly reports whether nothing is to be scored that does without the log's waits.
func (r *waits) boundsOnly() bool {
	return len(r.chosen(slices.Concat(r.o.boundNames(), ArrivalPredictors()))) == len(r.o.Predictors)
}

func (r *waits) noWaitsFault() error {
	return fmt.Errorf("%s: %w", r.log.Name, predict.ErrNoWaits)
}

// machine is the size of the simulated machine.
func (r *waits) machine() (int64, error) {
	if r.o.Processors > 0 {
		return r.o.Processors, nil
	}
	if n, ok := r.log.Header.Processors(); ok {
		return n, nil
	}
	return 0, fmt.Errorf("%s: %w", r.log.Name, workload.ErrNoMachine)
}

// chosen are those of the names that are to be scored.
func (r *waits) chosen(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !slices.Contains(r.o.Predictors, n) })
}

// mostHeld is how many jobs are held in memory, some 250 bytes each, where the
// log can be read again; heldBlock is how many of them are one piece of memory,
// so that what is held never has to move.
const (
	mostHeld  = 1 << 19
	heldBlock = 1 << 12
)

// hold keeps the job that was counted last, or drops all if they are too many.
func (r *waits) hold(j *workload.Job) {
	switch {
	case !r.holds:
		return
	case r.o.Reopen != nil && r.jobs > mostHeld:
		r.holds, r.held = false, nil
		return
	case (r.jobs-1)%heldBlock == 0:
		r.held = append(r.held, make([]workload.Job, 0, heldBlock))
	}
	last := &r.held[len(r.held)-1]
	*last = append(*last, *j)
}

// replay yields the jobs in order once more: those that are held, or of the log reopened.
func (r *waits) replay(ctx context.Context) iter.Seq2[workload.Job, error] {
	return r.o.watched(workload.Until(ctx, func(yield func(workload.Job, error) bool) {
		if !r.holds {
			r.reread(yield)
			return
		}
		for _, block := range r.held {
			for i := range block {
				if !yield(block[i], nil) {
					return
				}
			}
		}
	}), r.jobs)
}

// reread reads the log once more.
func (r *waits) reread(yield func(workload.Job, error) bool) {
	log, err := r.o.Reopen()
	if err != nil {
		yield(workload.Job{}, err)
		return
	}
	defer log.Close()
	n := 0
	for j, err := range workload.InOrder(log.Jobs(), nil) {
		if n++; n > r.jobs || !yield(j, err) { // a store may have grown
			return
		}
	}
}

// mostAtOnce bounds the memory of pipelines, each of which may read the log.
const mostAtOnce = 4

// score runs the pipelines, and puts together what they found in their order.
func (r *waits) score(ctx context.Context) (*WaitsResult, error) {
	pipelines, err := r.pipelines()
	if err != nil {
		return nil, err
	}
	workers := min(mostAtOnce, par.Workers(0))
	if r.o.Predicted != nil { // in order
		workers = 1
	}
	if err := par.Run(ctx, workers, len(pipelines), func(i int) error { return pipelines[i].play(pipelines[i], ctx) }); err != nil {
		return nil, err
	}
	simulated := false
	for _, p := range pipelines {
		r.remarks, r.leftOut = append(r.remarks, p.remarks...), append(r.leftOut, p.leftOut...)
		if p.simulates && len(p.tallies) > 0 && !simulated { // all leave out the same jobs
			r.odd.Merge(&p.odd)
			simulated = true
		}
		r.tallies = append(r.tallies, p.tallies...)
		if p.lifetimes != nil {
			r.lifetimes = p.lifetimes
		}
	}
	if len(r.tallies) == 0 && (r.sample == nil || len(r.standingAsked()) == 0) {
		var why []string
		for _, out := range r.leftOut {
			why = append(why, out.Predictor+": "+out.Why)
		}
		return nil, fmt.Errorf("%s: none of the predictors that were asked for could be scored: %s", r.log.Name, strings.Join(why, "; "))
	}
	return r.result(), nil
}
