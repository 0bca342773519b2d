package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/runtime/outside"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimes scores predictors of run time: it replays the log once, and scores
// the predictions that each predictor made at the submission of each job. Times
// are in seconds.
//
// An option that cannot be used is a *workload.OptionError; a log without a run
// time to score is an error that wraps workload.ErrNoJobs; a fault of the log is
// its reader's error. The log is read to its end, not closed;
// another call takes a log opened anew.
func RunTimes(ctx context.Context, log *workload.Log, o RunTimesOptions) (*RunTimesResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if log.Lacks(workload.ColRunTime) {
		return nil, noRunTimes(log)
	}
	r, err := newRunTimes(log, o)
	if err != nil {
		return nil, err
	}
	if err := r.replay(ctx); err != nil {
		return nil, err
	}
	return r.result()
}

// runTimes is one replay and what came of it.
type runTimes struct {
	o         RunTimesOptions
	log       *workload.Log
	entries   []runtime.Entry
	reference int            // the entry that others are compared with
	tallies   []runTimeTally // by entry
	common    score.RunTimeCommon
	users     score.Groups
	parts     []runTimesPart
	unknown   []*workload.Column // of classes, that no job has had
	estimated bool               // a job has had a user's estimate
	odd       workload.Warnings
	out       RunTimesResult
}

func newRunTimes(log *workload.Log, o RunTimesOptions) (*runTimes, error) {
	r := &runTimes{o: o, log: log}
	var err error
	if r.entries, err = o.entries(&log.Header); err != nil {
		return nil, err
	}
	if len(o.Named) > 0 { // whether classes are left is judged way by way
		named, err := workload.ClassesOf([]string{workload.NamedWord}, workload.Grouping{Named: o.Named, Header: &log.Header})
		if err != nil {
			return nil, err
		}
		log.WatchClasses(named, true)
	}
	against := o.against()
	r.reference = max(0, slices.IndexFunc(r.entries, func(e runtime.Entry) bool { return labelOf(e) == against }))
	r.users = score.Groups{Reference: r.reference, Most: score.UserClusters}
	if err := r.newTallies(); err != nil {
		return nil, err
	}
	for _, by := range o.By {
		r.parts = append(r.parts, newRunTimesPart(by, log))
	}
	var columns []string
	for _, e := range r.entries {
		columns = append(columns, columnsOf(e)...)
	}
	for _, name := range workload.ClassColumns(true) {
		if slices.Contains(columns, name) {
			r.unknown = append(r.unknown, workload.FindColumn(name))
		}
	}
	r.setAside()
	r.out.Programs = programs(o.Programs).results()
	return r, nil
}

// labelOf returns an entry's name: predictor,classes, or the predictor where the classes
// have no name.
func labelOf(e runtime.Entry) string {
	if e.Classes.Name == "" {
		return e.Predictor
	}
	return e.Predictor + "," + e.Classes.Name
}

// replay starts the programs, has all entries predict, and ends the programs.
func (r *runTimes) replay(ctx context.Context) error {
	first := len(r.entries) - len(r.o.Programs)
	return programs(r.o.Programs).run(func(c outside.Command) (*outside.Process, error) { return outside.Start(ctx, c) }, func(all []*outside.Process) error {
		for i, p := range all {
			r.entries[first+i].Own = p
		}
		return r.play(ctx)
	})
}

// play has the entries predict, and scores what they say.
func (r *runTimes) play(ctx context.Context) error {
	jobs := workload.InOrder(workload.Until(ctx, r.log.Jobs()), &r.odd)
	if r.o.Watch != nil {
		jobs = r.o.Watch(jobs)
	}
	for row, err := range runtime.Replay(jobs, &r.odd, r.entries...) {
		if err != nil {
			return err
		}
		if err := r.add(row); err != nil {
			return err
		}
	}
	return nil
}

// setAside keeps entries that are left out, as far as is known by now, from deciding which
// jobs are common.
func (r *runTimes) setAside() {
	r.common.Aside = make([]bool, len(r.entries))
	for i, e := range r.entries {
		r.common.Aside[i] = r.lacks(e) != ""
	}
}

// add enters one job.
func (r *runTimes) add(row *runtime.Row) error {
	if n := len(r.unknown); n > 0 {
		r.unknown = slices.DeleteFunc(r.unknown, func(c *workload.Column) bool { return c.KnownIn(&row.Job.Request) })
		if len(r.unknown) < n {
			r.setAside()
		}
	}
	if i := slices.IndexFunc(r.entries, r.estimates); i >= 0 && !r.estimated && !math.IsNaN(row.Predictions[i].Seconds) {
		r.estimated = true
		r.setAside()
	}
	common := r.common.Add(row.Predictions, row.Job.Run)
	for i, p := range row.Predictions {
		r.tallies[i].add(p.Seconds, row.Job.Run)
	}
	if r.o.Replicates > 0 {
		r.users.Add(row.Job.User, row.Predictions, row.Job.Run, common)
	}
	for i := range r.parts {
		r.parts[i].add(row, common)
	}
	if r.o.Predicted == nil {
		return nil
	}
	for i, p := range row.Predictions {
		if math.IsNaN(p.Seconds) {
			continue
		}
		if err := r.o.Predicted(RunTimePrediction{row.Job.ID, r.entries[i].Classes.Name, r.entries[i].Predictor, p.Seconds, row.Job.Run, p.Observations, row.Job}); err != nil {
			return err
		}
	}
	return nil
}

// result leaves out the classes that the log has not the columns for, and draws
// the intervals.
func (r *runTimes) result() (*RunTimesResult, error) {
	if r.tallies[0].Jobs() == 0 {
		return nil, noRunTimes(r.log)
	}
	r.leaveOut()
	scored := r.scored()
	if !slices.ContainsFunc(scored, func(i int) bool { return !r.estimates(r.entries[i]) }) {
		return nil, fmt.Errorf("%s: %s: no classes are left to score", r.log.Name, r.out.LeftOut[0].Why)
	}
	r.fill(scored)
	return &r.out, nil
}

func noRunTimes(log *workload.Log) error {
	return fmt.Errorf("%s: no job has a run time to score: %w", log.Name, workload.ErrNoJobs)
}
