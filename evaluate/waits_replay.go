package evaluate

import (
	"context"
	"iter"

	"github.com/loadstone-hpc/loadstone/workload"
)

// mostHeld is how many jobs are held in memory, some 250 bytes each, where the
// log can be read again; heldBlock is how many of them are one piece of memory,
// so that what is held never has to move.
const (
	mostHeld  = 1 << 19
	heldBlock = 1 << 12
)

// hold keeps the job that was counted last, or lets go of all where they are too
// many.
func (r *waits) hold(j *workload.Job) {
	if !r.holds {
		return
	}
	if r.o.Reopen != nil && r.jobs > mostHeld {
		r.holds, r.held = false, nil
		return
	}
	if (r.jobs-1)%heldBlock == 0 {
		r.held = append(r.held, make([]workload.Job, 0, heldBlock))
	}
	last := &r.held[len(r.held)-1]
	*last = append(*last, *j)
}

func (r *waits) watched(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error] {
	if r.o.Watch == nil {
		return jobs
	}
	return r.o.Watch(jobs, n)
}

// replay yields the jobs in order once more.
func (r *waits) replay(ctx context.Context) iter.Seq2[workload.Job, error] {
	jobs := r.reread
	if r.holds {
		jobs = r.again
	}
	return r.watched(workload.Until(ctx, iter.Seq2[workload.Job, error](jobs)), r.jobs)
}

// again yields the jobs that are held.
func (r *waits) again(yield func(workload.Job, error) bool) {
	for _, block := range r.held {
		for i := range block {
			if !yield(block[i], nil) {
				return
			}
		}
	}
}

// reread reads the log once more.
func (r *waits) reread(yield func(workload.Job, error) bool) {
	log, err := r.o.Reopen()
	if err != nil {
		yield(workload.Job{}, err)
		return
	}
	defer log.Close()
	n := 0
	for j, err := range workload.InOrder(log.Jobs(), nil) {
		if n++; n > r.jobs || !yield(j, err) { // a store may have grown
			return
		}
	}
}
