package live

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// restore learns the events of the journal, and passes them to the feed.
func (s *Service) restore(ctx context.Context) error {
	open, labels := map[int64]*workload.Job{}, map[int64]string{} // by row
	for entry, err := range s.o.Journal.Entries() {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		switch e := entry.(type) {
		case *journal.Name:
			err = s.feed.Names().Restore(*e)
		case *journal.Event:
			if e.Label != "" {
				labels[e.Job.Row] = e.Label
			}
			c := change{Event: watch.Event{Kind: e.Kind, Time: e.Time, Job: whole(open, e), Label: labels[e.Job.Row]}, scored: e.Scored, givenAt: float64(e.AnsweredAt), given: s.answered(e)}
			if s.feed.Replay(c.Event); e.Kind == workload.Finish {
				delete(labels, e.Job.Row)
			}
			_, err = s.follow(&c)
		case *journal.Expect:
			var bounds []float64
			if slices.Equal(e.Quantiles, s.o.Quantiles) {
				bounds = e.Bounds
			}
			s.engine.plan(e.Row, bounds)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// whole returns the job of an event, combined with earlier events of the same job. open holds
// the jobs that have not ended, by row.
func whole(open map[int64]*workload.Job, e *journal.Event) *workload.Job {
	row := e.Job.Row
	j := workload.UnknownJob()
	if known := open[row]; known != nil {
		j = *known
	}
	e.Merge(&j)
	open[row] = &j
	if e.Kind == workload.Finish {
		delete(open, row)
	}
	return &j
}

// answered returns the answers in the journal for a submission, by slot, or nil for other events.
func (s *Service) answered(e *journal.Event) []predict.Bound {
	if e.Kind != workload.Submit {
		return nil
	}
	given := make([]predict.Bound, len(s.engine.slots))
	for i, slot := range s.engine.slots {
		given[i] = predict.NoBound()
		given[i].Quantile = slot.quantile
		for _, a := range e.Answers {
			if a.Predictor == slot.predictor && float64(a.Quantile) == slot.quantile {
				given[i].Seconds, given[i].Observations, given[i].Group = float64(a.Seconds), a.Observations, a.Group
			}
		}
	}
	return given
}

// storeNames appends new names to the journal.
func (s *Service) storeNames() error {
	var entries []journal.Entry
	for _, n := range s.feed.Names().Fresh() {
		entries = append(entries, &n)
	}
	return s.store(entries)
}

// storeChanges appends changes to the journal, with the answers given.
func (s *Service) storeChanges(taken []change) error {
	if s.o.Journal == nil {
		return nil
	}
	entries := make([]journal.Entry, 0, len(taken))
	for i := range taken {
		c := &taken[i]
		e := &journal.Event{Kind: c.Kind, Time: c.Time, Job: *c.Job, AnsweredAt: journal.Number(math.NaN())}
		if c.Kind == workload.Submit {
			e.Scored, e.AnsweredAt = c.scored, journal.Number(c.givenAt)
			if c.Label != strconv.FormatInt(c.Job.ID, 10) {
				e.Label = c.Label
			}
			for k, b := range c.given {
				slot := s.engine.slots[k]
				e.Answers = append(e.Answers, journal.Answer{Predictor: slot.predictor, Quantile: journal.Number(slot.quantile), Seconds: journal.Number(b.Seconds), Observations: b.Observations, Group: b.Group})
			}
		}
		entries = append(entries, e)
	}
	return s.store(entries)
}

func (s *Service) store(entries []journal.Entry) error {
	if s.o.Journal == nil || len(entries) == 0 {
		return nil
	}
	return s.o.Journal.Append(entries...)
}
