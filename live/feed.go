package live

import (
	"context"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Feed reports what happens on a machine. It is used by one goroutine, except that any
// goroutine may call Find, Text, Texts and Now.
type Feed interface {
	// Name describes what is watched, for people.
	Name() string
	// Restore gives the feed a name that a journal has, before the first Next.
	Restore(n watch.Name) error
	// Replay gives the feed an event that a journal has, before the first Next.
	Replay(e watch.Event)
	// Next waits until the next batch is due and returns it. io.EOF means that
	// no batch follows, and an error that wraps ErrBroken that none can. Any
	// other error means that the machine could not be asked; the next call may
	// succeed.
	Next(ctx context.Context) (*Batch, error)
	// Fresh returns the names that are new since the last call.
	Fresh() []watch.Name
	// Find returns the number of a text by its header keyword ("User",
	// "Queue", ...), and false if it has none.
	Find(key, text string) (int64, bool)
	// Text returns the text of a number: the inverse of Find.
	Text(key string, number int64) (string, bool)
	// Texts returns the names of a header keyword.
	Texts(key string) []string
	// Now returns the present time of the feed's clock, in seconds from its
	// origin.
	Now() float64
	// Interval returns the usual time between batches, in seconds of that clock: of a
	// machine that answers slowly it is longer than asked for.
	Interval() float64
	// Due returns when the next batch is asked for; zero if that is not known.
	Due() time.Time
}

// Batch contains the events since the last batch and the present state.
type Batch struct {
	At     float64 // s, the moment
	Events []watch.Event
	// Training is the number of submissions in Events, the first ones, that
	// are training jobs: answers about these jobs are not scored.
	Training int
	// Jobs are the waiting and running jobs, by row; jobs not in it are known
	// from events only.
	Jobs     map[int64]*watch.Sighting
	Capacity watch.Capacity
	Took     time.Duration // of the poll
	Warnings []workload.Warning
}
