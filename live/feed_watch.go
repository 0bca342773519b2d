package live

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
)

// longestPause bounds the time between polls of a machine that does not answer.
const longestPause = 10 * time.Minute

// watchFeed polls a machine.
type watchFeed struct {
	*watch.Names
	name     string
	source   watch.Source
	tracker  *watch.Tracker
	origin   time.Time
	interval time.Duration
	began    bool          // a poll, or a journal, has shown the machine
	pause    time.Duration // after a failed poll

	mu     sync.Mutex
	due    time.Time     // zero: at once
	shown  float64       // s, the moment that the last poll shows
	polled time.Time     // when that was; zero before it
	rhythm time.Duration // between polls that succeed
}

// Watch returns a Feed that polls a machine at an interval. After a failed poll
// it waits twice as long as before, up to ten minutes. Answers about jobs in
// the very first poll are not scored: among those, long waits are
// over-represented. names is the source's dictionary, and origin second 0 of
// its clock.
func Watch(name string, source watch.Source, names *watch.Names, origin time.Time, interval time.Duration) Feed {
	return &watchFeed{Names: names, name: name, source: source, tracker: watch.NewTracker(), origin: origin, interval: interval, pause: interval}
}

// Name implements Feed.
func (f *watchFeed) Name() string { return f.name }

// Replay implements Feed.
func (f *watchFeed) Replay(e watch.Event) {
	f.began = true
	f.tracker.Replay(e)
}

// Now implements Feed. After a poll it goes on by itself: where the computer's clock is set
// back, the state still grows old.
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
func (f *watchFeed) Interval() float64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return max(f.interval, f.rhythm).Seconds()
}

// Due implements Feed.
func (f *watchFeed) Due() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.due
}

// Next implements Feed.
func (f *watchFeed) Next(ctx context.Context) (*Batch, error) {
	if err := sleepUntil(ctx, f.Due()); err != nil {
		return nil, err
	}
	began := time.Now()
	p, err := f.source.Poll(ctx)
	took := time.Since(began)
	if err != nil {
		f.pause = min(2*f.pause, max(longestPause, f.interval))
		f.mu.Lock()
		f.due = time.Now().Add(f.pause)
		f.mu.Unlock()
		return nil, err
	}
	f.succeeded(p.At, began, took)
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

// rhythmKept is the share of a slow rhythm that the next poll, a quick one, leaves: most
// polls of a machine may be quick and some of them slow.
const rhythmKept = 0.9

// succeeded notes that a poll has shown a moment. A machine that answers slowly is asked
// less often.
func (f *watchFeed) succeeded(at float64, began time.Time, took time.Duration) {
	f.pause = f.interval
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shown, f.polled = at, time.Now()
	between := max(f.interval, 2*took)
	f.rhythm = max(between, time.Duration(rhythmKept*float64(f.rhythm)))
	f.due = began.Add(between)
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
