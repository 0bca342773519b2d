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
// own waits. Each kind has a pipeline that replays the log, so that no predictor sees
// the future. The pipelines run concurrently; the result does not depend on the
// number of cores. The bounds, including custom ones, learn from the first tenth of the
// jobs and are scored on the rest.
//
// A log takes this path: its jobs are counted (this file) and held (waits_log.go). Pipelines
// replay them concurrently, each in its own file (waits_heads.go, waits_queue.go,
// waits_bounds.go, waits_sample.go), with a function of package predict; for bounds that is
// predict/replay.go, whose predictors learn from past waits (predict/pastwaits.go). Tallies
// count each job with its predictions (waits_tally.go, based on score/wait.go), and
// waits_result.go turns them into the result.
//
// An invalid option is a *workload.OptionError. If only bounds are requested and the log
// has no waits, the error wraps predict.ErrNoWaits; if a queue is simulated and the size
// of the machine is unknown, it wraps workload.ErrNoMachine. Errors of the log's reader
// are returned unchanged. Waits reads the log to its end, or to FirstJobs jobs, but does not
// close it; another call needs a newly opened log.
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

// waits is one call of Waits. The pipelines share it, and modify only its sample.
type waits struct {
	o     WaitsOptions
	log   *workload.Log
	clock workload.Clock
	odd   workload.Warnings // about the log's jobs
	outcome

	heldLog
	cut bool // the log has more jobs than FirstJobs

	span      submissions
	known     int64   // jobs whose wait is known
	estimates bool    // some job has an estimate
	users     bool    // some job's user is known
	sample    *Sample // jobs on which all predictors are scored; nil for none

	processors int64 // of the single simulated machine; 0 if there is none
	lifetimes  *predict.LawSummary
	tallies    []*waitTally
}

// outcome contains the warnings about some predictors, and those left out.
type outcome struct {
	remarks []workload.Warning
	leftOut []PredictorLeftOut
}

// remark adds a warning.
func (o *outcome) remark(rule, format string, args ...any) {
	o.remarks = append(o.remarks, workload.Warning{Rule: rule, Text: fmt.Sprintf(format, args...), Count: 1})
}

// leaveOut records requested predictors that are not scored, and adds a warning.
func (o *outcome) leaveOut(rule, why string, names ...string) {
	o.remark(rule, "%s: %s left out", why, strings.Join(names, ", "))
	for _, name := range names {
		o.leftOut = append(o.leftOut, PredictorLeftOut{name, why})
	}
}

// survey reads the log for the first time: it counts the jobs, and holds them in memory
// unless there are too many.
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

// boundsOnly reports whether all requested predictors need the log's waits.
func (r *waits) boundsOnly() bool {
	return len(r.chosen(slices.Concat(r.o.boundNames(), ArrivalPredictors()))) == len(r.o.Predictors)
}

func (r *waits) noWaitsFault() error {
	return fmt.Errorf("%s: %w", r.log.Name, predict.ErrNoWaits)
}

// machine returns the size of the simulated machine in processors: that of the options,
// else the header's. If neither is known, the error wraps workload.ErrNoMachine.
func (r *waits) machine() (int64, error) {
	if r.o.Processors > 0 {
		return r.o.Processors, nil
	}
	if n, ok := r.log.Header.Processors(); ok {
		return n, nil
	}
	return 0, fmt.Errorf("%s: %w", r.log.Name, workload.ErrNoMachine)
}

// chosen returns the names that are among the requested predictors.
func (r *waits) chosen(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !slices.Contains(r.o.Predictors, n) })
}

// pipeline is one replay of the log with some of the predictors, and its outcome.
type pipeline struct {
	*waits
	names []string
	play  func(*pipeline, context.Context) error

	outcome
	odd     workload.Warnings // about jobs that its simulation leaves out
	tallies []*waitTally

	lifetimes *predict.LawSummary
}

// pipelines returns the pipelines of the requested predictors, in the order of the result.
// Predictors that cannot be scored are left out.
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
	if r.o.Sample > 0 { // these predictors are asked only about the jobs of the sample
		queue = slices.DeleteFunc(queue, func(name string) bool { return slices.Contains(standingNames(), name) })
	}
	together := 1 // a pipeline each, to run concurrently: they are slow
	if r.o.Predicted != nil {
		together = len(queueNames) // one pipeline, which passes on predictions job by job
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

// hasEstimates reports whether any jobs have users' estimates, from the log or drawn.
func (r *waits) hasEstimates() bool { return r.estimates || r.o.EstimateFactor > 0 }

// estimateSeed is the seed of the estimates drawn for jobs that have none.
const estimateSeed = 1

// estimated yields the jobs, with missing estimates drawn if EstimateFactor is set.
func (r *waits) estimated(ctx context.Context) iter.Seq2[workload.Job, error] {
	if r.o.EstimateFactor == 0 {
		return r.replay(ctx)
	}
	return predict.WithEstimates(r.replay(ctx), r.o.EstimateFactor, rand.New(rand.NewPCG(estimateSeed, 0)).Float64)
}

// lifetimesOf returns the configuration of the lifetimes of running jobs.
func (r *waits) lifetimesOf() (predict.LifetimesConfig, error) {
	by, err := workload.ParseClasses(r.o.Classes, r.grouping())
	return predict.LifetimesConfig{By: by, Family: r.o.Law, Options: fit.Options{Trim: r.o.trim()}}, err
}

// replay yields the jobs again, in order of submission.
func (r *waits) replay(ctx context.Context) iter.Seq2[workload.Job, error] {
	return r.o.watched(workload.Until(ctx, r.each), r.jobs)
}

// mostAtOnce is the largest number of concurrent pipelines. It limits memory, since each
// pipeline may read the log.
const mostAtOnce = 4

// score runs the pipelines, and combines their outcomes in order.
func (r *waits) score(ctx context.Context) (*WaitsResult, error) {
	pipelines, err := r.pipelines()
	if err != nil {
		return nil, err
	}
	workers := min(mostAtOnce, par.Workers(0))
	if r.o.Predicted != nil { // it is called in order
		workers = 1
	}
	if err := par.Run(ctx, workers, len(pipelines), func(i int) error { return pipelines[i].play(pipelines[i], ctx) }); err != nil {
		return nil, err
	}
	for _, p := range pipelines {
		r.remarks, r.leftOut = append(r.remarks, p.remarks...), append(r.leftOut, p.leftOut...)
		// The first pipelines simulate a queue and all leave out the same jobs: warn once.
		if len(p.tallies) > 0 && len(r.tallies) == 0 {
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
