package evaluate

import (
	"context"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/evaluate/board"
	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// boardLogs is the number of logs that are scored at once: enough for a few cores, and
// few enough for their memory.
const boardLogs = 2

// scoreLogs calls one for each log, atOnce of them at a time, and returns the results in
// the order of the logs, or the first error in that order.
func scoreLogs[R any](n, atOnce int, one func(log int) (R, error)) ([]R, error) {
	results, errs := make([]R, n), make([]error, n)
	par.Each(min(atOnce, par.Workers(0)), n, func(i int) { results[i], errs[i] = one(i) })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// RunTimesBoard scores predictors of run time on logs, each as RunTimes does, and ranks
// them by their accuracy over the common jobs. Own, Predicted and Pictures of the
// options are not used. score gives the result of one log; several goroutines call it.
func RunTimesBoard(ctx context.Context, names []string, o RunTimesOptions, score func(ctx context.Context, name string, o RunTimesOptions) (*RunTimesResult, error)) (*board.Board, error) {
	o.Own, o.Predicted, o.By = nil, nil, nil
	if err := o.Validate(); err != nil {
		return nil, err
	}
	atOnce := boardLogs
	if len(o.Programs) > 0 {
		atOnce = 1
	}
	results, err := scoreLogs(len(names), atOnce, func(i int) (*RunTimesResult, error) { return score(ctx, names[i], o) })
	if err != nil {
		return nil, err
	}
	common := runTimeMetrics[slices.IndexFunc(runTimeMetrics, func(m metric) bool { return m.common })]
	b := &board.Board{Schema: board.Schema, Of: predictions.OfRunTimes, Score: common.Name, Higher: true, Replicates: o.Replicates, Seed: o.Seed, By: "user", Level: IntervalLevel}
	var columns []board.Column
	for i, r := range results {
		columns = append(columns, boardColumnOf(names[i], r))
		b.Warnings = append(b.Warnings, workload.WarningsAbout(names[i], r.Warnings)...)
	}
	b.Rank(columns, common.of)
	return b, nil
}

// The users' estimates need no classes, and stand under those of all jobs.
const (
	estimateName = "estimate"
	allClasses   = "all"
)

// boardColumnOf are the scores of one log. Where no job is common no score compares.
func boardColumnOf(name string, r *RunTimesResult) board.Column {
	c := board.Column{Log: board.Log{Name: name, Jobs: r.Log.Jobs}}
	for i := range r.Scores {
		s := &r.Scores[i]
		c.Log.Common = max(c.Log.Common, s.CommonJobs)
		e := board.Entry{Predictor: s.Predictor, Classes: s.Classes, Score: math.NaN(), Coverage: float64(s.Coverage), Clusters: s.commonClusters()}
		if s.CommonJobs > 0 {
			e.Score = float64(s.AccuracyCommon)
		}
		if s.Predictor == estimateName { // the same under all classes
			if e.Classes = allClasses; slices.ContainsFunc(c.Entries, func(e board.Entry) bool { return e.Predictor == estimateName }) {
				continue
			}
		}
		c.Entries = append(c.Entries, e)
	}
	return c
}
