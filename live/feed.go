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
	// Name says what is watched, for people.
	Name() string
	// Restore gives the feed a name that a journal has, before the first Next.
	Restore(n watch.Name) error
	// Replay gives the feed an event that a journal has, before the first Next.
	Replay(e watch.Event)
	// Next waits until the next batch is due and returns it. io.EOF says that nothing
	// follows, an error that wraps ErrBroken that nothing can. Another error says that the
	// machine could not be asked; the next call may succeed.
	Next(ctx context.Context) (*Batch, error)
	// Fresh returns the names that are new since the last call.
	Fresh() []watch.Name
	// Find returns the number of a text by its header keyword ("User", "Queue", ...);
	// false where there is none.
	Find(key, text string) (int64, bool)
	// Text returns the text of a number, as Find has it.
	Text(key string, number int64) (string, bool)
	// Texts returns the names of a header keyword.
	Texts(key string) []string
	// Now returns the present moment on the feed's clock, s from its origin.
	Now() float64
	// Interval is the time, s of that clock, within which a new batch is expected.
	Interval() float64
}

// Batch is what has happened since the last one, and how things stand.
type Batch struct {
	At     float64 // s, the moment
	Events []watch.Event
	// Training is how many of the submissions in Events, which are the first ones, train:
	// the answers about these jobs do not count.
	Training int
	// Jobs are the jobs that wait or run, by row; what it lacks is known from events alone.
	Jobs     map[int64]*watch.Sighting
	Capacity watch.Capacity
	Took     time.Duration // of the poll
	Warnings []workload.Warning
}
