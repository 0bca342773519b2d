package live

import (
	"context"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Feed reports the events on a machine. It is used by one goroutine, except that any
// goroutine may call Names, Now and Interval.
type Feed interface {
	// Name returns a description of the source for people.
	Name() string
	// Names returns the dictionary of the names of users, queues and so on. Names in a
	// journal are restored before the first Next.
	Names() *watch.Names
	// Replay passes an event from a journal to the feed, before the first Next.
	Replay(e watch.Event)
	// Next waits until the next batch is due and returns it. io.EOF means that
	// there are no more batches, and an error that wraps ErrBroken that the feed
	// cannot continue. Any other error means that the state of the machine could
	// not be read; the next call may succeed.
	Next(ctx context.Context) (*Batch, error)
	// Now returns the present time of the feed's clock, in seconds from its
	// origin.
	Now() float64
	// Interval returns the requested time between batches, in seconds of that clock.
	Interval() float64
}

// Batch contains the events since the last batch and the present state.
type Batch struct {
	At     float64 // s, the moment of the state
	Events []watch.Event
	// Training is the number of submissions, the first ones in Events, that
	// are training jobs: answers about these jobs are not scored.
	Training int
	// Jobs holds the waiting and running jobs by row; nil from a feed that only has events.
	Jobs     map[int64]*watch.Sighting
	Capacity watch.Capacity
	Took     time.Duration // of the poll
	Warnings []workload.Warning
}

// sleepUntil waits until due or until the context is done. It returns the context's error.
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
