package live

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Replay implements Feed.
func (r *replay) Replay(watch.Event) {
	r.skip++
}

// Interval implements Feed.
func (r *replay) Interval() float64 { return r.o.Interval }

// Now implements Feed.
func (r *replay) Now() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.began.IsZero() || r.over || math.IsInf(r.o.Speed, 1) {
		return r.from
	}
	return r.from + time.Since(r.began).Seconds()*r.o.Speed
}

// Due implements Feed.
func (r *replay) Due() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.due
}

// setDue notes when the next batch is due.
func (r *replay) setDue() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.due = r.moment(r.at + r.o.Interval)
}

// moment is when the clock comes to a time; zero under an infinite speed.
func (r *replay) moment(at float64) time.Time {
	if math.IsInf(r.o.Speed, 1) {
		return time.Time{}
	}
	return r.began.Add(time.Duration(min((at-r.from)/r.o.Speed, 1e9) * float64(time.Second)))
}

// setClock starts the clock at a time; under an infinite speed, it is that time.
func (r *replay) setClock(at float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.began.IsZero() || math.IsInf(r.o.Speed, 1) {
		r.began, r.from = time.Now(), at
	}
}

// stopClock keeps the clock at the last poll: a state that nothing follows does not age.
func (r *replay) stopClock() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.from, r.over, r.due = r.at, true, time.Time{}
}

// Next implements Feed.
func (r *replay) Next(ctx context.Context) (*Batch, error) {
	restored, err := r.passOver()
	if err != nil {
		return nil, err
	}
	e, err := r.read()
	switch {
	case err != nil:
		return nil, err
	case restored:
	case e == nil:
		r.stopClock()
		return nil, io.EOF
	case math.IsNaN(r.base):
		r.base, r.at = e.Time, e.Time
	case math.IsInf(r.o.Speed, 1):
		r.at = r.poll(e.Time) // no poll without an event
	default:
		r.at = r.base + (math.Round((r.at-r.base)/r.o.Interval)+1)*r.o.Interval
	}
	if err := r.wait(ctx); err != nil {
		return nil, err
	}
	b := &Batch{At: r.at, Capacity: r.capacity}
	for ; e != nil && e.Time <= r.at; e, err = r.read() {
		r.train(e, b)
		b.Events = append(b.Events, *e)
		r.ahead = r.ahead[1:]
	}
	if err != nil {
		return nil, err
	}
	if e == nil { // nothing happens between the last event and the poll
		r.at = r.latest
		b.At = r.at
	}
	b.Warnings = r.warnings.List()
	r.setDue()
	return b, nil
}

// passOver passes over the events that a journal has, and says whether there were any.
// The next poll is that of the last one of them.
func (r *replay) passOver() (bool, error) {
	n := r.skip
	for ; r.skip > 0; r.skip-- {
		e, err := r.read()
		if err != nil {
			return false, err
		}
		if e == nil {
			return false, fmt.Errorf("%w: the store has %d more events than the %s: it belongs to another log", ErrBroken, r.skip, r.name)
		}
		if math.IsNaN(r.base) {
			r.base = e.Time
		}
		r.at = r.poll(e.Time)
		r.train(e, &Batch{})
		r.ahead = r.ahead[1:]
	}
	return n > 0, nil
}

// poll returns the time of the first poll that shows an event: the first poll is at the first
// event, however often the service is started.
func (r *replay) poll(event float64) float64 {
	return r.base + math.Ceil((event-r.base)/r.o.Interval)*r.o.Interval
}

// train counts a submission that trains.
func (r *replay) train(e *watch.Event, b *Batch) {
	if e.Kind == workload.Submit && r.training > 0 {
		r.training--
		b.Training++
	}
}

// wait waits until the clock has come to the next poll, or sets it. Where the service is slow,
// polls are left out.
func (r *replay) wait(ctx context.Context) error {
	r.setClock(r.at)
	if math.IsInf(r.o.Speed, 1) {
		return ctx.Err()
	}
	r.mu.Lock()
	due := r.moment(r.at)
	r.mu.Unlock()
	if err := sleepUntil(ctx, due); err != nil {
		return err
	}
	r.at = max(r.at, r.base+math.Floor((r.Now()-r.base)/r.o.Interval)*r.o.Interval)
	return nil
}

// read returns the next event of the log; nil at its end.
func (r *replay) read() (*watch.Event, error) {
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
	if !(j.Run >= 0) {
		j.Run = math.NaN()
	}
	r.latest = e.Time
	r.ahead = append(r.ahead[:0], watch.Event{Kind: e.Kind, Time: e.Time, Job: &j})
	if e.Kind == workload.Start && math.IsNaN(j.Run) { // nobody will know when it ends
		r.ahead = append(r.ahead, watch.Event{Kind: workload.Finish, Time: e.Time, Job: &j})
	}
	return &r.ahead[0], nil
}
