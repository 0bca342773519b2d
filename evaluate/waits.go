package evaluate

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Waits scores predictors of wait: Downey's at the head of a simulated queue,
// those that simulate the queue at a job's submission, and bounds of the log's
// own waits. Each of these pipelines replays the log, so that no predictor sees
// the future; they run side by side, and the result does not depend on the
// number of cores. The bounds, including custom ones, learn from the first tenth of the
// jobs and are scored on the rest.
//
// The way of a log is: its jobs are counted (this file) and held (waits_log.go); pipelines
// replay them side by side, each in its own file (waits_heads.go, waits_queue.go,
// waits_bounds.go, waits_sample.go), by a function of package predict; for bounds that is
// predict/replay.go, which asks them of past waits (predict/pastwaits.go). Tallies take each
// job with the predictions (waits_tally.go, of score/wait.go), and the result is read off them
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

	heldLog
	cut bool // the log has more jobs, which are left out

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
	r.heldLog = heldLog{reopen: r.o.Reopen, holds: true}
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

// pipeline is one replay of the log with some of the predictors, and what came of it.
type pipeline struct {
	*waits
	names []string
	play  func(*pipeline, context.Context) error

	outcome
	odd     workload.Warnings // of what its simulation leaves out
	tallies []*waitTally

	lifetimes *predict.LawSummary
}

// pipelines are those of the predictors asked for, in the order of the result. Predictors
// that cannot be scored are left out.
func (r *waits) pipelines() ([]*pipeline, error) {
	var all []*pipeline
	add := func(names []string, play func(*pipeline, context.Context) error) {
		if len(names) > 0 {
			all = append(all, &pipeline{waits: r, names: names, play: play})
		}
	}
	if r.o.table != nil {
		add(r.o.table.Names(), (*pipeline).predicted)
		return all, nil
	}
	heads, queue := r.chosen(headNames()), r.chosen(queueNames)
	switch {
	case len(heads) > 0 && r.o.Sites != nil:
		r.leaveOut("one-machine", "Downey's predictors model a single machine, and each site is a separate one", heads...)
	default:
		add(heads, (*pipeline).heads)
	}
	if !r.hasEstimates() {
		if needed := r.chosen([]string{standing.Estimates}); len(needed) > 0 {
			r.leaveOut("no-estimates", "no job has an estimate of its run time", needed...)
		}
		queue = slices.DeleteFunc(queue, func(name string) bool { return name == standing.Estimates })
	}
	if r.o.Sample > 0 { // whose jobs alone these are asked about
		queue = slices.DeleteFunc(queue, func(name string) bool { return slices.Contains(standingNames(), name) })
	}
	together := 1 // side by side, since they take long
	if r.o.Predicted != nil {
		together = len(queueNames) // job by job
	}
	for names := range slices.Chunk(queue, together) {
		add(names, (*pipeline).queue)
	}
	if len(all) > 0 && r.o.Sites == nil {
		n, err := r.machine()
		if err != nil {
			return nil, err
		}
		r.processors = n
	}
	bounds := slices.Concat(r.chosen(r.o.boundNames()), programs(r.o.Programs).labels())
	switch {
	case r.known > 0:
		add(bounds, (*pipeline).bounds)
	case len(bounds) > 0:
		r.leaveOut("no-waits", predict.ErrNoWaits.Error(), bounds...)
	}
	switch {
	case r.sample != nil:
		add(r.standingAsked(), (*pipeline).standing)
	case r.o.Sample > 0:
		r.remark("no-sample", "%v: no sample of jobs is scored", predict.ErrNoWaits)
		for _, name := range r.chosen(ArrivalPredictors()) {
			r.leftOut = append(r.leftOut, PredictorLeftOut{name, predict.ErrNoWaits.Error()})
		}
	}
	return all, nil
}

// hasEstimates reports whether jobs have users' estimates, their own or drawn ones.
func (r *waits) hasEstimates() bool { return r.estimates || r.o.EstimateFactor > 0 }

// estimateSeed draws the estimates of jobs that have none.
const estimateSeed = 1

// estimated yields the jobs with the estimates that the options draw.
func (r *waits) estimated(ctx context.Context) iter.Seq2[workload.Job, error] {
	if r.o.EstimateFactor == 0 {
		return r.replay(ctx)
	}
	return predict.WithEstimates(r.replay(ctx), r.o.EstimateFactor, rand.New(rand.NewPCG(estimateSeed, 0)).Float64)
}

// lifetimesOf are the options of the lifetimes of running jobs.
func (r *waits) lifetimesOf() (predict.LifetimesConfig, error) {
	by, err := workload.ParseClasses(r.o.Classes, r.grouping())
	return predict.LifetimesConfig{By: by, Family: r.o.Law, Options: fit.Options{Trim: r.o.trim()}}, err
}

// replay yields the jobs in order once more.
func (r *waits) replay(ctx context.Context) iter.Seq2[workload.Job, error] {
	return r.o.watched(workload.Until(ctx, r.each), r.jobs)
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
	for _, p := range pipelines {
		r.remarks, r.leftOut = append(r.remarks, p.remarks...), append(r.leftOut, p.leftOut...)
		if len(p.tallies) > 0 && len(r.tallies) == 0 { // all that simulate a queue, the first ones, leave out the same jobs
			r.odd.Merge(&p.odd)
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
