package predict

import (
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// simulatedInOrder simulates the jobs and yields them, with their waits, by
// submission, those of one instant in the log's order (Job.Row): a log like any
// other. Where jobs overtake, or sites wait for their own, a job is held back
// until all that were submitted before it have started. The policy's queue is
// in the order of submission.
func simulatedInOrder(jobs iter.Seq2[workload.Job, error], machine sched.Config) iter.Seq2[workload.Job, error] {
	if machine.Sites == nil && (machine.Policy == nil || machine.Policy == (sched.FCFS{})) {
		return sched.Simulate(jobs, machine, nil) // they start in that order
	}
	return func(yield func(workload.Job, error) bool) {
		w := &oldestWaiting{by: map[int64]float64{}, now: math.Inf(-1)}
		last := w.now
		for j, err := range sched.Simulate(jobs, machine, w) {
			if err != nil {
				yield(workload.Job{}, err)
				return
			}
			if w.now > last {
				last = w.now
				if !w.release(w.horizon(), yield) {
					return
				}
			}
			w.held.Push(heap.Item[workload.Job]{At: j.Submit, Seq: j.Row, Value: j})
		}
		w.release(math.Inf(1), yield)
	}
}

// oldestWaiting observes since when somebody waits at each site.
type oldestWaiting struct {
	by   map[int64]float64 // s, by partition: the submission of the head
	now  float64
	held heap.Heap[workload.Job] // by submission
}

var _ sched.Settler = (*oldestWaiting)(nil)

func (w *oldestWaiting) Blocked(*workload.Request, *sched.State)     {}
func (w *oldestWaiting) Started(_ *workload.Request, s *sched.State) { w.now = s.Now() }

func (w *oldestWaiting) Settled(s *sched.State) {
	delete(w.by, s.Site())
	for _, head := range s.Waiting() {
		w.by[s.Site()] = head.Request.Submit
		break
	}
}

// horizon is the time before which all jobs have started.
func (w *oldestWaiting) horizon() float64 {
	at := w.now
	for _, submit := range w.by {
		at = min(at, submit)
	}
	return at
}

// release yields the jobs that were submitted before a time.
func (w *oldestWaiting) release(before float64, yield func(workload.Job, error) bool) bool {
	for len(w.held) > 0 && w.held[0].At < before {
		if !yield(w.held.Pop().Value, nil) {
			return false
		}
	}
	return true
}
