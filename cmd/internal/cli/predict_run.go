package cli

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

func runPredict(ctx context.Context, a *app, o predictOptions) error {
	if o.now.state != "" {
		a.warn("predict --now is a command of its own and goes with version 1.0: say 'loadstone wait STATE [HISTORY...]' with the same flags")
		return runWait(ctx, a, o.now)
	}
	if err := a.notOver([]string{o.input, o.baseline}, o.predictions, o.result.output); err != nil {
		return err
	}
	var baseline *predictBaseline
	if o.baseline != "" {
		var err error
		if baseline, err = readPredictBaseline(o.baseline); err != nil {
			return err
		}
	}
	r := &predictRun{app: a, o: o}
	if err := r.survey(ctx); err != nil {
		return about(o.input, err)
	}
	// The predictions are put in place last: where there is no result, there
	// is no file.
	err := a.savePredictions(o.predictions, predictPredictionsSchema, predictPredictionColumns, func(save *workload.PlainTable) error {
		r.save = save
		if err := r.score(ctx); err != nil {
			return about(o.input, err)
		}
		a.warnAll(o.input, r.warnings.List())
		if len(r.scores) == 0 {
			return fmt.Errorf("%s: none of the predictors that were asked for could be scored", o.input)
		}
		r.warnOfSilence()
		r.settle()
		if o.plots != "" {
			if err := r.plot(); err != nil {
				return err
			}
		}
		return a.put(o.result, r.result())
	})
	if err != nil {
		return err
	}
	return r.thresholds(baseline)
}

// predictRun is a run of the pipelines and what came of it. Each pipeline has a
// copy of its own, with an outcome of its own.
type predictRun struct {
	app       *app
	o         predictOptions
	header    workload.Header
	jobs      int
	cut       bool                 // the log has more jobs, which are left out
	held      []workload.Job       // of standard input, which cannot be read again
	save      *workload.PlainTable // of predictions; nil for none
	span      submissions
	longest   []score.Burst
	burstJobs map[int64]burstJob // of the bursts that may be drawn, by row

	waits     bool   // some job's is known
	estimates bool   // some job has one
	users     bool   // some job's is known
	bursts    []bool // by row: the job is in a burst

	predictOutcome
}

// survey reads the log a first time: it counts the jobs, and keeps those of
// standard input. The pipelines need more passes.
func (r *predictRun) survey(ctx context.Context) error {
	log, err := r.app.open(r.o.input)
	if err != nil {
		return err
	}
	defer log.Close()
	if log.Lacks(workload.ColWaitTime) && r.boundsOnly() {
		return errNoWaits
	}
	var bursts score.Bursts
	longest := score.LongestBursts{Keep: burstsKept, KeepRows: burstRows}
	for j, err := range r.app.inOrder(ctx, log, &r.warnings) {
		if err != nil {
			return err
		}
		if r.o.first > 0 && r.jobs == r.o.first {
			r.app.note("%s: only the first %d jobs by submission are replayed (--first-jobs)", r.o.input, r.jobs)
			r.cut = true
			break
		}
		r.jobs++
		r.waits = r.waits || !math.IsNaN(j.Wait)
		if r.jobs == sureOfWaits && !r.waits && r.boundsOnly() {
			r.app.forewarn("%s: none of the first %d jobs has a wait, which bounds are made from: %s", r.o.input, r.jobs, hintSimulate)
		}
		r.estimates = r.estimates || j.Time > 0
		r.users = r.users || j.User != workload.Unknown
		r.noteBurst(&j, &bursts)
		r.span.add(j.Submit)
		if r.o.plots != "" {
			longest.Add(&j.Request)
		}
		if r.o.input == "-" {
			r.held = append(r.held, j)
		}
	}
	if !r.waits && r.jobs > 0 && r.boundsOnly() {
		return errNoWaits
	}
	r.header = log.Header
	r.keepBursts(longest.Result())
	r.app.warnAll(r.o.input, log.Warnings())
	r.warnOfUsers()
	return nil
}

// warnOfSilence names the predictors that predicted nothing, and why that can be.
func (r *predictRun) warnOfSilence() {
	for _, s := range r.scores {
		j := s.json()
		if j.Predicted > 0 {
			continue
		}
		why := "no job waited at the head of the queue, or no law of lifetimes was known in time (--parameters)"
		switch {
		case s.bound != nil && s.waits == waitsOfLog:
			why = fmt.Sprintf("no group had as many waits as a bound of %g with confidence %g takes", r.o.quantile, r.o.confidence)
		case s.waits != waitsAtHead && j.Jobs == 0:
			why = "no job waits under this policy on this machine"
		case s.waits != waitsAtHead:
			why = "no job had run times to predict from"
		}
		r.app.warn("%s: %s predicted nothing: %s", r.o.input, s.predictor, why)
	}
}

// replay yields the jobs in order once more.
func (r *predictRun) replay(ctx context.Context) workload.JobSeq {
	if !r.cut {
		return r.replayAll(ctx)
	}
	return func(yield func(workload.Job, error) bool) {
		n := 0
		for j, err := range r.replayAll(ctx) {
			if n++; n > r.o.first || !yield(j, err) {
				return
			}
		}
	}
}

func (r *predictRun) replayAll(ctx context.Context) workload.JobSeq {
	if r.o.input == "-" {
		return r.app.heldJobs(ctx, r.held)
	}
	return func(yield func(workload.Job, error) bool) {
		log, err := r.app.reopen(r.o.input)
		if err != nil {
			yield(workload.Job{}, err)
			return
		}
		defer log.Close()
		for j, err := range r.app.inOrder(ctx, log, nil) {
			if !yield(j, err) {
				return
			}
		}
	}
}

// predictScore is one row of the result; bound is nil for a point prediction.
type predictScore struct {
	predictor string
	waits     string // which are predicted
	wait      *score.Wait
	same      *score.Wait // with the parameters of the same interval
	bound     *score.Bound
	tightness score.Tightness
	parts     []predictPart
	followed  *predictFollower
	intervals score.WaitIntervals
}

func (r *predictRun) chosen(names []string) []string {
	var out []string
	for _, n := range names {
		if slices.Contains(r.o.predictors, n) {
			out = append(out, n)
		}
	}
	return out
}
