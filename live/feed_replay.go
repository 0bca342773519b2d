package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ReplayOptions are the options of Replay.
type ReplayOptions struct {
	// Speed is the number of seconds of the log that pass in one second; +Inf
	// replays as fast as events can be processed.
	Speed float64
	// Interval is the time between polls, s of the log; above 0.
	Interval float64
	// Processors is the size of the machine; 0 means that of the log.
	Processors int64
}

// replay plays a log as if it were live.
type replay struct {
	name string
	o    ReplayOptions
	logNames
	next     func() (workload.Event, error, bool)
	stop     func()
	log      *workload.Log
	training int64         // submissions that train, to come
	skip     int64         // events to come that a journal has
	ahead    []watch.Event // read, and not due yet
	capacity watch.Capacity
	base     float64 // s, of the first poll; NaN before it
	at       float64 // s, of the last poll
	latest   float64 // s, of the last event that was read
	warnings workload.Warnings

	mu    sync.Mutex
	began time.Time // zero before the first batch
	from  float64   // s, the clock then
	due   time.Time // of the next batch; zero if it follows at once, or none does
	over  bool      // the log has ended: the clock stands still
}

// ReplayFeed is a Feed that plays a log. Close closes the log.
type ReplayFeed interface {
	Feed
	io.Closer
}

// Replay returns a Feed that plays a log as if it were live: each job is
// answered at its submission, from what had happened by then in the log. Jobs
// without a wait are left out, and the first tenth of the others are training
// jobs, as in evaluate.Waits. open opens the log from its beginning; it is read
// twice.
func Replay(ctx context.Context, open func() (*workload.Log, error), o ReplayOptions) (ReplayFeed, error) {
	r := &replay{o: o, base: math.NaN()}
	if err := r.survey(ctx, open); err != nil {
		return nil, err
	}
	var err error
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
	r.next, r.stop = iter.Pull2(workload.Timeline(withWait(workload.InOrder(workload.Until(ctx, r.log.Jobs()), &r.warnings))))
	return r, nil
}

// survey reads the log a first time: it counts the jobs that train, and takes the names,
// which some logs have only at their end.
func (r *replay) survey(ctx context.Context, open func() (*workload.Log, error)) error {
	log, err := open()
	if err != nil {
		return err
	}
	r.training, err = predict.TrainingTenth(workload.Until(ctx, log.Jobs()))
	r.logNames = namesOf(&log.Header)
	return errors.Join(err, log.Close())
}

// withWait leaves out the jobs whose wait is unknown.
func withWait(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil && !(j.Wait >= 0 && j.Wait <= math.MaxFloat64) {
				continue
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

// Close closes the log.
func (r *replay) Close() error {
	r.stop()
	return r.log.Close()
}

// Name implements Feed.
func (r *replay) Name() string { return r.name }
