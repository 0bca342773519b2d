package evaluate

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/predict/snapshots"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// SnapshotsOptions says how Snapshots scores. A zero field stands for its default.
type SnapshotsOptions struct {
	Quantile float64 // share of waits that a bound is to cover: 0.95
	First    int     // the first snapshot that is scored, from 2; earlier ones train: 6
	Seed     uint64  // of random draws
	// Predicted is called with every prediction; an error that it returns ends the
	// scoring. It may be nil.
	Predicted func(SnapshotPrediction) error
}

// SnapshotPrediction is the prediction of one predictor for one row.
type SnapshotPrediction struct {
	Row       *snapshots.Row
	Group     string
	Predictor string
	Seconds   float64 // NaN for none
	Bound     float64 // s, NaN for none
}

// Validate returns a *workload.OptionError for the first option that cannot be used.
func (o *SnapshotsOptions) Validate() error {
	switch {
	case o.Quantile != 0 && !(o.Quantile > 0 && o.Quantile < 1):
		return workload.OptionFault("quantile", o.Quantile, "a number between 0 and 1")
	case o.First != 0 && o.First < 2:
		return workload.OptionFault("first-snapshot", strconv.Itoa(o.First), "2 or more: a snapshot is predicted from those before it")
	}
	return nil
}

func (o SnapshotsOptions) filled() SnapshotsOptions {
	if o.Quantile == 0 {
		o.Quantile = 0.95
	}
	if o.First == 0 {
		o.First = 6
	}
	return o
}

// predictors are those that are scored, the learner first.
func (o SnapshotsOptions) predictors() []snapshots.Predictor {
	return []snapshots.Predictor{
		snapshots.NewForest(o.Quantile, o.Seed),
		snapshots.NewConstant(o.Quantile), snapshots.NewGroupMeans(o.Quantile),
		snapshots.NewRidge(100, false), snapshots.NewRidge(10_000, false), snapshots.NewRidge(10_000, true),
	}
}

// Snapshots scores predictors of wait on snapshots of a queue, in the order of time.
// Before each snapshot every predictor is trained anew on the earlier ones, with the waits
// of the jobs that have started by then.
//
// An option that cannot be used is a *workload.OptionError; a table with too few
// snapshots is an error that wraps workload.ErrNoJobs.
func Snapshots(ctx context.Context, name string, t *snapshots.Table, o SnapshotsOptions) (*SnapshotsResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.filled()
	s := &snapshotsRun{o: o, table: t, predictors: o.predictors()}
	s.all = s.tallies()
	all := t.Snapshots()
	if len(all) < o.First {
		return nil, fmt.Errorf("%s: %w to score: scoring begins at snapshot %d (--first-snapshot), and there are only %d", name, workload.ErrNoJobs, o.First, len(all))
	}
	past := 0
	for i, rows := range all {
		if err := s.next(ctx, t.Rows[:past], rows, i+1 >= o.First); err != nil {
			return nil, err
		}
		past += len(rows)
	}
	return s.result(name), nil
}

type snapshotsRun struct {
	o          SnapshotsOptions
	table      *snapshots.Table
	predictors []snapshots.Predictor
	all        []score.LogWaitTally // by predictor
	out        SnapshotsResult
	unscored   int64
}

func (s *snapshotsRun) tallies() []score.LogWaitTally {
	t := make([]score.LogWaitTally, len(s.predictors))
	for i := range t {
		t[i].Quantile = s.o.Quantile
	}
	return t
}

// next has every predictor predict one snapshot, and scores the predictions if scored.
func (s *snapshotsRun) next(ctx context.Context, past, rows []snapshots.Row, scored bool) error {
	now := rows[0].Time
	day := s.tallies()
	out := make([]snapshots.Prediction, len(rows))
	for i, p := range s.predictors {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(past) == 0 {
			break
		}
		if err := p.Learn(past, now); err != nil {
			return err
		}
		p.Predict(rows, out)
		if !scored {
			continue
		}
		for r, prediction := range out {
			if wait := rows[r].Wait; wait == wait {
				day[i].Add(prediction.Log, prediction.Bound, snapshots.Log(wait))
				s.all[i].Add(prediction.Log, prediction.Bound, snapshots.Log(wait))
			}
			if err := s.save(p, &rows[r], prediction); err != nil {
				return err
			}
		}
	}
	if !scored {
		return nil
	}
	part := SnapshotScores{Time: stats.Number(now), Jobs: len(rows)}
	for i := range past {
		if past[i].Known(now) {
			part.Known++
		} else {
			part.Waiting++
		}
	}
	for i, p := range s.predictors {
		part.Scores = append(part.Scores, SnapshotScore{p.Name(), day[i].Score()})
	}
	s.out.Snapshots = append(s.out.Snapshots, part)
	for i := range rows {
		if rows[i].Wait != rows[i].Wait {
			s.unscored++
		}
	}
	return nil
}

// save passes a prediction to Predicted.
func (s *snapshotsRun) save(p snapshots.Predictor, row *snapshots.Row, prediction snapshots.Prediction) error {
	if s.o.Predicted == nil {
		return nil
	}
	return s.o.Predicted(SnapshotPrediction{row, s.table.Groups[row.Group], p.Name(), math.Pow(10, prediction.Log), math.Pow(10, prediction.Bound)})
}
