package live

import (
	"context"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Feed reports what happens on a machine. It is used by one goroutine, except that any
// goroutine may call Names, Now and Interval.
type Feed interface {
	// Name describes what is watched, for people.
	Name() string
	// Names are those of users, queues and so on. A journal's are restored before the
	// first Next.
	Names() *watch.Names
	// Replay gives the feed an event that a journal has, before the first Next.
	Replay(e watch.Event)
	// Next waits until the next batch is due and returns it. io.EOF means that
	// no batch follows, and an error that wraps ErrBroken that none can. Any
	// other error means that the machine could not be asked; the next call may
	// succeed.
	Next(ctx context.Context) (*Batch, error)
	// Now returns the present time of the feed's clock, in seconds from its
	// origin.
	Now() float64
	// Interval returns the time between batches that was asked for, in seconds of that clock.
	Interval() float64
}

// Batch contains the events since the last batch and the present state.
type Batch struct {
	At     float64 // s, the moment
	Events []watch.Event
	// Training is the number of submissions in Events, the first ones, that
	// are training jobs: answers about these jobs are not scored.
	Training int
	// Jobs are the waiting and running jobs, by row; nil from a feed that has events alone.
	Jobs     map[int64]*watch.Sighting
	Capacity watch.Capacity
	Took     time.Duration // of the poll
	Warnings []workload.Warning
}

// sleepUntil waits for a moment. Its error is the context's.
func sleepUntil(ctx context.Context, due time.Time) error {
	t := time.NewTimer(time.Until(due))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return ctx.Err()
	}
}
