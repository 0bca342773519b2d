package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ReplayOptions are the options of Replay.
type ReplayOptions struct {
	// Speed is the largest number of seconds of the log that pass in one second; +Inf
	// replays as fast as events can be processed.
	Speed float64
	// Interval is the time between polls, in seconds of the log; above 0.
	Interval float64
	// Processors is the size of the machine; 0 means that of the log.
	Processors int64
}

// ReplayFeed is a Feed that replays a log. Its clock stands at the last poll.
type ReplayFeed struct {
	o        ReplayOptions
	name     string
	names    watch.Names
	number   func(*workload.Request) // gives a request the numbers of names
	next     func() (workload.Event, error, bool)
	stop     func()
	log      *workload.Log
	training int64         // number of training submissions to come
	skip     int64         // number of events to come that are in the journal
	ahead    []watch.Event // events that have been read but are not due yet
	capacity watch.Capacity
	base     float64       // s, time of the first event and the first poll; NaN before it
	began    time.Time     // when the first batch of this process was due
	from     float64       // s, time of the log at began
	latest   float64       // s, time of the last event that was read
	now      atomic.Uint64 // bits of the clock's float64
	warnings workload.Warnings
}

// Replay returns a Feed that replays a log as if it were live: predictors answer for
// each job at its submission, from the events of the log so far. Jobs without a wait
// are left out, and the first tenth of the others are training jobs, as in
// evaluate.Waits. open opens the log from its beginning; it is called twice. The
// caller must close the ReplayFeed.
func Replay(ctx context.Context, open func() (*workload.Log, error), o ReplayOptions) (*ReplayFeed, error) {
	r := &ReplayFeed{o: o, base: math.NaN()}
	// Read the log to its end first, because some logs have their names there.
	log, err := open()
	if err != nil {
		return nil, err
	}
	r.training, err = predict.TrainingTenth(workload.Until(ctx, log.Jobs()))
	if errors.Is(err, predict.ErrNoWaits) {
		err = fmt.Errorf("%s: %w, so nothing can be replayed; loadstone simulate adds simulated waits", log.Name, err)
	}
	r.number = translator(&r.names, &log.Header, &log.Header)
	if err := errors.Join(err, log.Close()); err != nil {
		return nil, err
	}
	if r.log, err = open(); err != nil {
		return nil, err
	}
	r.name = "replay of " + filepath.Base(r.log.Name)
	n := o.Processors
	if n == 0 {
		n, _ = r.log.Header.Processors()
	}
	if n == 0 {
		return nil, errors.Join(fmt.Errorf("%s: %w", r.log.Name, workload.ErrNoMachine), r.log.Close())
	}
	r.capacity = watch.Capacity{Processors: n, Total: n}
	r.next, r.stop = iter.Pull2(workload.Timeline(workload.Select(workload.InOrder(workload.Until(ctx, r.log.Jobs()), &r.warnings), predict.HasWait)))
	return r, nil
}

// Close closes the log.
func (r *ReplayFeed) Close() error {
	r.stop()
	return r.log.Close()
}

// Name implements Feed.
func (r *ReplayFeed) Name() string { return r.name }

// Names implements Feed.
func (r *ReplayFeed) Names() *watch.Names { return &r.names }

// Replay implements Feed.
func (r *ReplayFeed) Replay(watch.Event) { r.skip++ }

// Interval implements Feed.
func (r *ReplayFeed) Interval() float64 { return r.o.Interval }

// Now implements Feed.
func (r *ReplayFeed) Now() float64 { return math.Float64frombits(r.now.Load()) }

// Next implements Feed. It skips polls without events.
func (r *ReplayFeed) Next(ctx context.Context) (*Batch, error) {
	restored, at, err := r.passOver()
	if err != nil {
		return nil, err
	}
	e, err := r.read()
	switch {
	case err != nil:
		return nil, err
	case e == nil && !restored:
		return nil, io.EOF
	case !restored:
		at = r.poll(e.Time)
	}
	if err := r.wait(ctx, at); err != nil {
		return nil, err
	}
	b := &Batch{At: at, Capacity: r.capacity}
	for ; e != nil && e.Time <= at; e, err = r.read() {
		b.Events = append(b.Events, *e)
		b.Training += r.pass(e)
	}
	if err != nil {
		return nil, err
	}
	if e == nil { // the log has ended: the clock stops at the last event
		b.At = r.latest
	}
	b.Warnings = r.warnings.List()
	r.now.Store(math.Float64bits(b.At))
	return b, nil
}

// passOver skips the events that are in the journal. It returns whether there were any, and the
// time of the poll that showed the last of them.
func (r *ReplayFeed) passOver() (restored bool, at float64, err error) {
	for ; r.skip > 0; r.skip-- {
		e, err := r.read()
		if err != nil {
			return false, 0, err
		}
		if e == nil {
			return false, 0, fmt.Errorf("%w: the store has %d more events than the %s: it belongs to another log", ErrBroken, r.skip, r.name)
		}
		restored, at = true, r.poll(e.Time)
		r.pass(e)
	}
	return restored, at, nil
}

// poll returns the time of the first poll that shows an event, given the time of the event. Polls
// are counted from the first event of the log, so that they do not depend on restarts.
func (r *ReplayFeed) poll(event float64) float64 {
	if math.IsNaN(r.base) {
		r.base = event
	}
	return r.base + math.Ceil((event-r.base)/r.o.Interval)*r.o.Interval
}

// pass advances to the next event. It returns 1 if e is a training submission, else 0.
func (r *ReplayFeed) pass(e *watch.Event) int {
	r.ahead = r.ahead[1:]
	if e.Kind == workload.Submit && r.training > 0 {
		r.training--
		return 1
	}
	return 0
}

// wait waits until a poll is due.
func (r *ReplayFeed) wait(ctx context.Context, at float64) error {
	if r.began.IsZero() {
		r.began, r.from = time.Now(), at
	}
	const mostSeconds = 1e9
	return sleepUntil(ctx, r.began.Add(time.Duration(min((at-r.from)/r.o.Speed, mostSeconds)*float64(time.Second))))
}

// read returns the next event of the log without advancing, or nil at the end.
func (r *ReplayFeed) read() (*watch.Event, error) {
	if len(r.ahead) > 0 {
		return &r.ahead[0], nil
	}
	e, err, ok := r.next()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if !ok {
		return nil, nil
	}
	j := *e.Job
	r.number(&j.Request)
	if !(j.Run >= 0) {
		j.Run = math.NaN()
	}
	r.latest = e.Time
	r.ahead = append(r.ahead[:0], watch.Event{Kind: e.Kind, Time: e.Time, Job: &j})
	if e.Kind == workload.Start && math.IsNaN(j.Run) { // its end is not recorded
		r.ahead = append(r.ahead, watch.Event{Kind: workload.Finish, Time: e.Time, Job: &j})
	}
	return &r.ahead[0], nil
}
