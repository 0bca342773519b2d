package live

import (
	"context"
	"io"
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Replay implements Feed.
func (r *replay) Replay(e watch.Event) {
	r.skip++
	r.at = e.Time
}

// Interval implements Feed.
func (r *replay) Interval() float64 { return r.o.Interval }

// Now implements Feed.
func (r *replay) Now() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.began.IsZero() || math.IsInf(r.o.Speed, 1) {
		return r.from
	}
	return r.from + time.Since(r.began).Seconds()*r.o.Speed
}

// setClock starts the clock at a time; under an infinite speed, it is that time.
func (r *replay) setClock(at float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.began.IsZero() || math.IsInf(r.o.Speed, 1) {
		r.began, r.from = time.Now(), at
	}
}

// Next implements Feed.
func (r *replay) Next(ctx context.Context) (*Batch, error) {
	for ; r.skip > 0; r.skip-- {
		e, err := r.read()
		if err != nil {
			return nil, err
		}
		if e == nil {
			return nil, io.EOF
		}
		if e.Kind == workload.Submit && r.training > 0 {
			r.training--
		}
		r.ahead = r.ahead[1:]
	}
	first, err := r.read()
	if err != nil {
		return nil, err
	}
	if first == nil {
		return nil, io.EOF
	}
	if r.at, err = r.wait(ctx, first.Time); err != nil {
		return nil, err
	}
	b := &Batch{At: r.at, Capacity: r.capacity}
	for e := first; e != nil && e.Time <= r.at; {
		if e.Kind == workload.Submit && r.training > 0 {
			r.training--
			b.Training++
		}
		b.Events = append(b.Events, *e)
		r.ahead = r.ahead[1:]
		if e, err = r.read(); err != nil {
			return nil, err
		}
	}
	b.Warnings = r.warnings.List()
	return b, nil
}

// wait waits for the next poll and returns its time. next is that of the next event.
func (r *replay) wait(ctx context.Context, next float64) (float64, error) {
	at := r.at + r.o.Interval
	if math.IsNaN(at) {
		at = next
	}
	r.setClock(at)
	if math.IsInf(r.o.Speed, 1) {
		at = max(at, next) // no poll without an event
		r.setClock(at)
		return at, ctx.Err()
	}
	r.mu.Lock()
	due := r.began.Add(time.Duration((at - r.from) / r.o.Speed * float64(time.Second)))
	r.mu.Unlock()
	if err := sleepUntil(ctx, due); err != nil {
		return 0, err
	}
	return max(at, r.Now()), nil
}

// read returns the next event of the log; nil at its end.
func (r *replay) read() (*watch.Event, error) {
	if len(r.ahead) > 0 {
		return &r.ahead[0], nil
	}
	e, err, ok := r.next()
	if err != nil || !ok {
		return nil, err
	}
	j := *e.Job
	if !(j.Run >= 0) {
		j.Run = math.NaN()
	}
	r.ahead = append(r.ahead[:0], watch.Event{Kind: e.Kind, Time: e.Time, Job: &j, Split: -1})
	if e.Kind == workload.Start && math.IsNaN(j.Run) { // nobody will know when it ends
		r.ahead = append(r.ahead, watch.Event{Kind: workload.Finish, Time: e.Time, Job: &j, Split: -1})
	}
	return &r.ahead[0], nil
}
