package predict

import (
	"cmp"
	"slices"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// queueWatch observes a simulated queue, and has each wait predicted at the submission.
// What happens at one instant counts in the log's order, as in workload.Timeline,
// however jobs overtake each other and sites take turns.
type queueWatch struct {
	simulations []*queueSimulation
	easy        bool
	jobs        []queued      // by sched.Task.Key
	waiting     [][]waitingOf // by State.Index, in the order of submission

	now     float64
	starts  []QueueWait // of this instant
	whole   []QueueWait // of instants that are over
	endedAt float64
	ended   []workload.Job // at that time, of which is still to be learned
}

// waitingOf is a job that waits: little, because queues are walked through often.
type waitingOf struct {
	task sched.Task
	size int64
}

// queued is what is known of a job from its submission on.
type queued struct {
	predictions []float64 // of its wait
	ahead       int       // jobs that waited
}

var _ sched.Recorder = (*queueWatch)(nil)

func (q *queueWatch) Submitted(t sched.Task, m *sched.State) {
	q.learn()
	for int(t.Key) >= len(q.jobs) {
		q.jobs = append(q.jobs, queued{})
	}
	for m.Index() >= len(q.waiting) {
		q.waiting = append(q.waiting, nil)
	}
	queue := append(q.waiting[m.Index()], waitingOf{t, t.Request.Size})
	q.waiting[m.Index()] = queue
	j := queued{make([]float64, len(q.simulations)), len(queue) - 1}
	for i, s := range q.simulations {
		s.submitted(t)
		if q.easy {
			j.predictions[i] = s.waitUnderEASY(m, queue)
		} else {
			j.predictions[i] = s.wait(m, queue)
		}
	}
	q.jobs[t.Key] = j
}

func (q *queueWatch) Blocked(*workload.Request, *sched.State) {}

func (q *queueWatch) Started(t sched.Task, m *sched.State) {
	q.learn()
	if m.Now() != q.now {
		q.settle()
		q.now = m.Now()
	}
	queue := q.waiting[m.Index()]
	i := slices.IndexFunc(queue, func(w waitingOf) bool { return w.task.Key == t.Key })
	q.waiting[m.Index()] = slices.Delete(queue, i, i+1)
	j := &q.jobs[t.Key]
	q.starts = append(q.starts, QueueWait{*t.Request, j.predictions, j.ahead, m.Now() - t.Request.Submit})
}

// settle ends an instant.
func (q *queueWatch) settle() {
	slices.SortStableFunc(q.starts, func(a, b QueueWait) int { return cmp.Compare(a.Request.Row, b.Request.Row) })
	q.whole = append(q.whole, q.starts...)
	q.starts = q.starts[:0]
}

func (q *queueWatch) Ended(j *workload.Job, _ int32, m *sched.State) {
	if m.Now() != q.endedAt {
		q.learn()
		q.endedAt = m.Now()
	}
	q.ended = append(q.ended, *j)
}

// learn tells the predictors of run times what has ended.
func (q *queueWatch) learn() {
	slices.SortStableFunc(q.ended, func(a, b workload.Job) int { return cmp.Compare(a.Row, b.Row) })
	for i := range q.ended {
		for _, s := range q.simulations {
			s.observe(&q.ended[i])
		}
	}
	q.ended = q.ended[:0]
}
