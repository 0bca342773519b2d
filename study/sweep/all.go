package sweep

import (
	"context"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/par"
)

// AllOptions are the options of Plan.All.
type AllOptions struct {
	Workers int // goroutines, 0 for one per core; results do not depend on it
	// From and To are the numbers of the first and last run to do; 0 and 0 means all.
	From, To int
	// Begun, if not nil, is called first with the number of runs, and of those that are
	// done already.
	Begun func(runs, done int)
	// Done, if not nil, is called after each run, from any goroutine.
	Done func()
	// Left, if not nil, is told after the first runs of a study that takes long how many are
	// done and left, and how long those took and these will.
	Left func(done, left int, took, rest time.Duration)
}

// A study's time is estimated after firstLeft, and again when all runs of its first seed are
// done. Less than leastLeft is not told.
const (
	firstLeft = time.Minute
	leastLeft = 2 * time.Minute
)

// clock estimates how long runs take, from the first.
type clock struct {
	start time.Time
	seed  int // runs of a seed
	runs  int // to do
	tell  func(done, left int, took, rest time.Duration)

	mu    sync.Mutex
	count int // done
	told  int // estimates
}

func (c *clock) done() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	took := time.Since(c.start) // by the monotonic clock
	if c.told > 1 || c.count < c.seed && (c.told > 0 || took < firstLeft) {
		return
	}
	c.told++
	if c.count >= c.seed {
		c.told = 2
	}
	left := c.runs - c.count
	if rest := time.Duration(float64(took) / float64(c.count) * float64(left)); rest > leastLeft {
		c.tell(c.count, left, took, rest)
	}
}

// All does the runs that the store has no results of. A result is in the store as soon as
// its run is done, so that All can be called again after it was ended in any way.
func (p *Plan) All(ctx context.Context, s *Store, o AllOptions) error {
	if o.From == 0 && o.To == 0 {
		o.From, o.To = 1, p.Runs()
	}
	for _, k := range []int{o.From, o.To} {
		if _, err := p.At(k); err != nil {
			return err
		}
	}
	var left []int
	for k := o.From; k <= o.To; k++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := s.Load(k)
		if err != nil {
			return err
		}
		if r == nil {
			left = append(left, k-1)
		}
	}
	if o.Begun != nil {
		o.Begun(o.To-o.From+1, o.To-o.From+1-len(left))
	}
	if done := o.Done; o.Left != nil {
		clock := clock{start: time.Now(), seed: p.Group(), runs: len(left), tell: o.Left}
		o.Done = func() {
			if done != nil {
				done()
			}
			clock.done()
		}
	}
	return p.do(ctx, s, left, o)
}

// step is a run to do, or a workload to read before its runs.
type step struct {
	w   *held
	run int // -1 for the workload
}

// held is a workload in memory, as long as runs need it.
type held struct {
	first int // run
	ready chan struct{}
	jobs  *jobs
	err   error
	mu    sync.Mutex
	left  int // runs
}

// steps reads each workload some workloads ahead of its runs: while a core reads the next
// one, the others are busy with runs.
func (p *Plan) steps(left []int, workers int) (all []step) {
	var workloads []*held
	var runs [][]step
	for i, k := range left {
		if i == 0 || p.workload(k) != p.workload(left[i-1]) {
			workloads = append(workloads, &held{first: k, ready: make(chan struct{})})
			runs = append(runs, nil)
		}
		n := len(workloads) - 1
		workloads[n].left++
		runs[n] = append(runs[n], step{workloads[n], k})
	}
	ahead := 1 + workers/max(1, len(p.points))
	read := 0
	for n := range workloads {
		for ; read < len(workloads) && read <= n+ahead; read++ {
			all = append(all, step{workloads[read], -1})
		}
		all = append(all, runs[n]...)
	}
	return all
}

func (p *Plan) do(ctx context.Context, s *Store, left []int, o AllOptions) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	workers := par.Workers(o.Workers)
	all := p.steps(left, workers)
	par.Each(workers, len(all), func(i int) {
		if x := all[i]; x.run < 0 {
			defer close(x.w.ready)
			if x.w.err = ctx.Err(); x.w.err == nil {
				x.w.jobs, x.w.err = p.read(ctx, x.w.first)
			}
		} else if err := p.one(ctx, s, x); err != nil {
			stop(err)
		} else if o.Done != nil {
			o.Done()
		}
	})
	return context.Cause(ctx)
}

// one does a run whose workload is being read by an earlier step.
func (p *Plan) one(ctx context.Context, s *Store, x step) error {
	<-x.w.ready
	defer x.w.release()
	if x.w.err != nil {
		return x.w.err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r, err := p.on(ctx, x.w.jobs, x.run)
	if err != nil {
		return err
	}
	return s.Save(r)
}

// release lets go of the jobs after the last run.
func (h *held) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.left--; h.left == 0 {
		h.jobs = nil
	}
}
