package live

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
)

// spacing is the least time from the beginning of a poll to that of the next one, as a multiple
// of the first poll's duration.
const spacing = 2

// longestPause limits the time between polls of a machine that does not answer.
const longestPause = 10 * time.Minute

// watchFeed polls a machine.
type watchFeed struct {
	name     string
	names    *watch.Names
	source   watch.Source
	tracker  *watch.Tracker
	origin   time.Time
	interval time.Duration
	began    bool          // there has been a poll, or an event from a journal
	pause    time.Duration // before the next poll; doubled after each failure
	due      time.Time     // when the next poll is due; zero means at once

	mu     sync.Mutex
	shown  float64   // s, the moment of the state in the last poll
	polled time.Time // when the last poll ended; zero before the first
}

// Watch returns a Feed that polls a machine at an interval, and less often if the machine
// answers slowly. After each failed poll the pause is doubled, up to ten minutes. Answers
// about jobs in the very first poll are not scored, because long waits are
// over-represented among them. names is the source's dictionary, and origin second 0 of its
// clock.
func Watch(name string, source watch.Source, names *watch.Names, origin time.Time, interval time.Duration) Feed {
	return &watchFeed{name: name, names: names, source: source, tracker: watch.NewTracker(), origin: origin, interval: interval, pause: interval}
}

// Name implements Feed.
func (f *watchFeed) Name() string { return f.name }

// Names implements Feed.
func (f *watchFeed) Names() *watch.Names { return f.names }

// Replay implements Feed.
func (f *watchFeed) Replay(e watch.Event) {
	f.began = true
	f.tracker.Replay(e)
}

// Now implements Feed. The time since the last poll is monotonic, so that the state ages even
// if the computer's clock is set back.
func (f *watchFeed) Now() float64 {
	now := time.Since(f.origin).Seconds()
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.polled.IsZero() {
		now = max(now, f.shown+time.Since(f.polled).Seconds())
	}
	return now
}

// Interval implements Feed.
func (f *watchFeed) Interval() float64 { return f.interval.Seconds() }

// Next implements Feed.
func (f *watchFeed) Next(ctx context.Context) (*Batch, error) {
	if err := sleepUntil(ctx, f.due); err != nil {
		return nil, err
	}
	began := time.Now()
	p, err := f.source.Poll(ctx)
	took := time.Since(began)
	if err != nil {
		f.pause = min(2*f.pause, max(longestPause, f.interval))
		f.due = time.Now().Add(f.pause)
		return nil, err
	}
	f.pause, f.due = f.interval, began.Add(max(f.interval, spacing*took))
	f.mu.Lock()
	f.shown, f.polled = p.At, time.Now()
	f.mu.Unlock()
	b := &Batch{At: p.At, Events: f.tracker.Events(p), Jobs: make(map[int64]*watch.Sighting, len(p.Jobs)), Capacity: p.Capacity, Took: took, Warnings: p.Warnings}
	if !f.began {
		b.Training = math.MaxInt
	}
	f.began = true
	for i := range p.Jobs {
		b.Jobs[p.Jobs[i].Row] = &p.Jobs[i]
	}
	return b, nil
}
