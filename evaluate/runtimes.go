package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimes scores predictors of run time: it replays the log once, and scores
// the prediction that each predictor makes at the submission of each job. Times
// are in seconds.
//
// A log takes this path: its jobs, in order of submission (workload/order.go), go through one
// replay (this file and runtime/replay.go, which workload/timeline.go calls at each event),
// in which the rules of a job's class predict (such as runtime/last2.go). Tallies count the job
// with its predictions (runtimes_tally.go, based on score/runtime.go), and runtimes_result.go
// turns them into the result.
//
// An invalid option is a *workload.OptionError. If the log has no run time to score, the error
// wraps workload.ErrNoJobs. Errors of the log's reader are returned unchanged. RunTimes reads
// the log to its end but does not close it; another call needs a newly opened log.
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
	running, err := programs(o.Programs).start(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer running.stop()
	for i, p := range running { // the last entries
		r.entries[len(r.entries)-len(running)+i].Own = p
	}
	if err := r.replay(ctx); err != nil {
		return nil, err
	}
	if err := running.finish(); err != nil {
		return nil, err
	}
	return r.result()
}

// runTimes is one call of RunTimes.
type runTimes struct {
	o         RunTimesOptions
	log       *workload.Log
	entries   []runtime.Entry
	reference int // index of the entry with which the others are compared
	odd       workload.Warnings

	tallies []runTimeTally // by entry
	common  score.RunTimeCommon
	users   score.Groups
	parts   []runTimesPart

	unused []*workload.Column // class columns without a value so far
	lack   []string           // by entry, why it is left out, judged by the jobs so far; "" if it is scored
}

func newRunTimes(log *workload.Log, o RunTimesOptions) (*runTimes, error) {
	r := &runTimes{o: o, log: log}
	var err error
	if r.entries, err = o.entries(&log.Header); err != nil {
		return nil, err
	}
	if len(o.Named) > 0 { // judge decides for the other classes
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
		clock, _ := log.Header.Clock()
		r.parts = append(r.parts, runTimesPart{cut: cut{by, clock}})
	}
	for _, name := range workload.ClassColumns(true) {
		if slices.ContainsFunc(r.entries, func(e runtime.Entry) bool { return slices.Contains(columnsOf(e), name) }) {
			r.unused = append(r.unused, workload.FindColumn(name))
		}
	}
	r.judge()
	return r, nil
}

// labelOf returns an entry's label: "predictor,classes", or the predictor alone if the classes
// have no name.
func labelOf(e runtime.Entry) string {
	if e.Classes.Name == "" {
		return e.Predictor
	}
	return e.Predictor + "," + e.Classes.Name
}

// columnsOf returns the columns of an entry's classes and of its fallback classes; none for a
// custom predictor, whose classes are only a label.
func columnsOf(e runtime.Entry) []string {
	if e.Own != nil {
		return nil
	}
	columns := e.Classes.Columns()
	for _, c := range e.Fallback {
		columns = append(columns, c.Columns()...)
	}
	return columns
}

// replay replays the log, and tallies each job with the predictions of the entries.
func (r *runTimes) replay(ctx context.Context) error {
	jobs := r.o.watched(workload.InOrder(workload.Until(ctx, r.log.Jobs()), &r.odd), 0)
	if r.o.table != nil {
		jobs = r.o.table.Watch(jobs)
	}
	for row, err := range runtime.Replay(jobs, &r.odd, r.entries...) {
		if err == nil {
			r.note(row)
			r.tally(row)
			err = r.handOut(row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// note removes the columns for which the job has a value from the unused ones.
func (r *runTimes) note(row *runtime.Row) {
	n := len(r.unused)
	if n == 0 {
		return
	}
	r.unused = slices.DeleteFunc(r.unused, func(c *workload.Column) bool { return !math.IsNaN(c.NumberIn(&row.Job.Request)) })
	if len(r.unused) < n {
		r.judge()
	}
}

// handOut passes the predictions of a job to Predicted.
func (r *runTimes) handOut(row *runtime.Row) error {
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

// isEstimate reports whether entry i is the one added by UserEstimates.
func (r *runTimes) isEstimate(i int) bool {
	return r.o.UserEstimates && r.entries[i].Predictor == userEstimate && r.entries[i].Own == nil
}

// judge finds the entries to leave out, judged by the jobs so far; these entries do not affect
// which jobs are common. With the four classifications of the paper, a log without sites counts
// as having one site, and one without applications as having one application; but jobs without
// users do not count as one user's.
func (r *runTimes) judge() {
	r.lack, r.common.Aside = make([]string, len(r.entries)), make([]bool, len(r.entries))
	for i, e := range r.entries {
		if e.Own == nil && e.Classes.Name != runtime.FallbackName {
			paper := slices.Contains(runtime.ClassesNames(), e.Classes.Name)
			for _, name := range slices.Backward(e.Classes.Columns()) {
				if c := workload.FindColumn(name); slices.Contains(r.unused, c) && (!paper || name == "user_id") {
					r.lack[i] = "no job has the " + c.Words[0]
				}
			}
		}
		r.common.Aside[i] = r.lack[i] != ""
	}
}

func noRunTimes(log *workload.Log) error {
	return fmt.Errorf("%s: no job has a run time to score: %w", log.Name, workload.ErrNoJobs)
}
