package live

import (
	"context"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// take learns a batch, and publishes how things stand: at once with the last plan, and
// again with a new one.
func (s *Service) take(ctx context.Context, b *Batch) error {
	began, from := time.Now(), s.feed.Now()
	if err := s.learn(b); err != nil {
		return err
	}
	v := s.newView(b)
	digest := time.Since(began)
	s.view.Store(v)
	plan, err := s.planner.plan(ctx, v)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil: // the last plan stays, and says its age
		b.Warnings = append(b.Warnings, workload.Warning{Rule: "no-plan", Text: "no schedule could be simulated: " + err.Error(), Count: 1})
	case plan != nil:
		planned := *v
		planned.plan = plan
		v = &planned
	}
	if err := s.forecast(v); err != nil {
		return err
	}
	s.view.Store(v)
	if err := s.sync(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Phase = Watching
	s.status.Polls++
	s.status.InARow, s.status.Fault = 0, ""
	s.status.Took, s.status.Digest = seconds(b.Took), seconds(digest)
	s.status.Warnings = b.Warnings
	s.digested = max(s.feed.Now()-from, rhythmKept*s.digested)
	return nil
}

// syncedEvery is how often the journal is made safe from a power failure, at the most; what
// is appended survives the death of the process at once.
const syncedEvery = time.Second

func (s *Service) sync() error {
	if s.o.Journal == nil || time.Since(s.synced) < syncedEvery {
		return nil
	}
	s.synced = time.Now()
	return s.o.Journal.Sync()
}

// learn feeds a batch to the engine, and stores it with what was answered.
func (s *Service) learn(b *Batch) error {
	if err := s.storeNames(); err != nil {
		return err
	}
	training := b.Training
	for first := 0; first < len(b.Events); first += batchEvents {
		var changes []change
		for _, e := range b.Events[first:min(first+batchEvents, len(b.Events))] {
			c := change{Event: e, givenAt: s.givenAt(b, &e)}
			if e.Kind == workload.Submit {
				c.scored = training <= 0 && !e.Again
				training--
			}
			changes = append(changes, c)
		}
		taken, err := s.engine.learn(changes)
		if err != nil {
			return err
		}
		s.planner.learn(taken)
		s.learned.Add(int64(len(taken)))
		if err := s.storeChanges(taken); err != nil {
			return err
		}
	}
	return nil
}

// givenAt is when the answers of a submission are given: when the poll shows it. A
// replayed log shows each job at its submission.
func (s *Service) givenAt(b *Batch, e *watch.Event) float64 {
	if b.Jobs == nil {
		return e.Time
	}
	return b.At
}

func seconds(d time.Duration) stats.Number { return stats.Number(d.Seconds()) }
