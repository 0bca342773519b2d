package evaluate

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Waits scores predictors of wait: Downey's at the head of a simulated queue,
// those that simulate the queue at a job's submission, and bounds of the log's
// own waits. Each of these pipelines replays the log, so that no predictor sees
// the future; they run side by side, and the result does not depend on the
// number of cores. The bounds, including custom ones, learn from the first tenth of the
// jobs and are scored on the rest.
//
// An option that cannot be used is a *workload.OptionError. Where only bounds
// are asked for, a log without waits is an error that wraps predict.ErrNoWaits;
// where a queue is simulated and the machine's size is not known, one that wraps
// workload.ErrNoMachine. A fault of the log is its reader's error. The log is read
// to its end, not closed;
// another call takes a log opened anew.
func Waits(ctx context.Context, log *workload.Log, o WaitsOptions) (*WaitsResult, error) {
	r, err := newWaits(ctx, log, o)
	if err != nil {
		return nil, err
	}
	outcomes, err := r.score(ctx)
	return r.conclude(outcomes, err)
}

// newWaits surveys a log, and draws the sample.
func newWaits(ctx context.Context, log *workload.Log, o WaitsOptions) (*waits, error) {
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
	return r, r.drawSample(ctx)
}

// conclude makes the result of what came of the pipelines, in their order. err is that of
// the one that follows them, or nil.
func (r *waits) conclude(outcomes []waitsOutcome, err error) (*WaitsResult, error) {
	for i := range outcomes {
		if err := r.take(&outcomes[i]); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
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

// waits is a run of the pipelines and what came of it. Each pipeline has a copy
// of its own, with an outcome of its own.
type waits struct {
	o     WaitsOptions
	log   *workload.Log
	clock workload.Clock

	jobs  int
	cut   bool             // the log has more jobs, which are left out
	holds bool             // held has all jobs
	held  [][]workload.Job // by submission, in blocks

	span submissions

	waits     int64   // jobs whose wait is known
	estimates bool    // some job has one
	users     bool    // some job's is known
	bursts    []bool  // by row: the job is in a burst
	sample    *Sample // jobs on which all predictors are scored; nil for none

	waitsOutcome
}

// sureOfWaits is how many jobs without a wait are enough for a warning, long before
// the log has been read.
const sureOfWaits = 100_000

// survey reads the log a first time: it counts the jobs, and holds them as long
// as they are not too many.
func (r *waits) survey(ctx context.Context) error {
	if r.log.Lacks(workload.ColWaitTime) && r.boundsOnly() {
		return r.noWaitsFault()
	}
	var bursts score.Bursts
	r.holds = true
	for j, err := range r.watched(workload.InOrder(workload.Until(ctx, r.log.Jobs()), &r.odd), 0) {
		if err != nil {
			return err
		}
		if r.o.FirstJobs > 0 && r.jobs == r.o.FirstJobs {
			r.cut = true
			break
		}
		r.jobs++
		if predict.HasWait(&j) {
			r.waits++
		}
		if r.jobs == sureOfWaits && r.waits == 0 && r.boundsOnly() && r.o.Early != nil {
			r.o.Early(workload.Warning{Rule: "no-waits", Text: fmt.Sprintf("none of the first %d jobs has a wait, from which bounds are computed", r.jobs), Count: 1})
		}
		r.estimates = r.estimates || j.Time > 0
		r.users = r.users || j.User != workload.Unknown
		r.noteBurst(&j, &bursts)
		r.span.add(j.Submit)
		r.hold(&j)
	}
	if r.waits == 0 && r.jobs > 0 && r.boundsOnly() {
		return r.noWaitsFault()
	}
	r.clock, _ = r.log.Header.Clock()
	r.span.settle()
	return nil
}

// boundsOnly says that nothing is to be scored that does without the log's waits.
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

// hold keeps the job that was counted last, or lets go of all where they are too
// many.
func (r *waits) hold(j *workload.Job) {
	if !r.holds {
		return
	}
	if r.o.Reopen != nil && r.jobs > mostHeld {
		r.holds, r.held = false, nil
		return
	}
	if (r.jobs-1)%heldBlock == 0 {
		r.held = append(r.held, make([]workload.Job, 0, heldBlock))
	}
	last := &r.held[len(r.held)-1]
	*last = append(*last, *j)
}

func (r *waits) watched(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error] {
	if r.o.Watch == nil {
		return jobs
	}
	return r.o.Watch(jobs, n)
}

// replay yields the jobs in order once more.
func (r *waits) replay(ctx context.Context) iter.Seq2[workload.Job, error] {
	jobs := r.reread
	if r.holds {
		jobs = r.again
	}
	return r.watched(workload.Until(ctx, iter.Seq2[workload.Job, error](jobs)), r.jobs)
}

// again yields the jobs that are held.
func (r *waits) again(yield func(workload.Job, error) bool) {
	for _, block := range r.held {
		for i := range block {
			if !yield(block[i], nil) {
				return
			}
		}
	}
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
