package predict

import (
	"cmp"
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Simulated is a point-valued predictor of waits: when a job is submitted, the
// schedule of all jobs that run and wait at its site is simulated with
// predicted run times. Sonmez and others (2009), section 4.1, under FCFS.
//
// RunTimes are asked in turn, the finest class first, until one has a
// prediction. A job for which none has one leaves the jobs behind it without a
// prediction too. A prediction that a running job has outlived is doubled until
// it exceeds the job's age. With Corrected, the predictions of all queued and
// running jobs are updated after each completion; without, each job keeps the
// prediction made at its submission.
type Simulated struct {
	RunTimes  []sched.Estimator // at least one, the finest class first
	Corrected bool              // whether completions correct earlier predictions
}

// QueueWait is one job of a simulated queue: the waits predicted at its
// submission, and the actual wait.
type QueueWait struct {
	Request workload.Request
	// Predictions are those of the predictors, in their order and in seconds,
	// NaN if there is none. They are valid until the next row.
	Predictions []float64
	Queued      int     // jobs that waited at its submission, at its site
	Actual      float64 // s, the wait
}

// QueueWaits simulates the machine under FCFS, whatever its policy, with the jobs' run times,
// and yields each job as it starts. Predictions are made at the job's submission, from
// requests, ages and the jobs that had ended by then. All sites share the predictors of
// run times. The jobs come by submission (see workload.InOrder). Errors are
// those of sched.Simulate. After an error nothing follows.
func QueueWaits(jobs iter.Seq2[workload.Job, error], machine sched.Config, predictors []Simulated) iter.Seq2[QueueWait, error] {
	return func(yield func(QueueWait, error) bool) {
		q := &queueWatch{now: math.Inf(-1), endedAt: math.Inf(-1)}
		for _, p := range predictors {
			if len(p.RunTimes) == 0 {
				yield(QueueWait{}, errors.New("a simulated schedule without a predictor of run times"))
				return
			}
			q.simulations = append(q.simulations, &queueSimulation{Simulated: p})
		}
		machine.Policy = sched.FCFS{}
		for _, err := range sched.Simulate(jobs, machine, &sched.Observer{Submitted: q.submitted, Started: q.started, Ended: q.ends}) {
			if err != nil {
				yield(QueueWait{}, err)
				return
			}
			for _, w := range q.whole {
				if !yield(w, nil) {
					return
				}
			}
			q.whole = q.whole[:0]
		}
		q.settle()
		for _, w := range q.whole {
			if !yield(w, nil) {
				return
			}
		}
	}
}

// queueSimulation is one predictor and what it predicts of the jobs under way.
type queueSimulation struct {
	Simulated
	learned int            // jobs that have ended
	runs    []predictedRun // by sched.Task.Key
	ends    heap.Times[int64]
}

// predictedRun is a predicted run time.
type predictedRun struct {
	seconds float64 // NaN where nobody knew
	learned int     // jobs that had ended when it was predicted
}

func (s *queueSimulation) submitted(t sched.Task) {
	for int(t.Key) >= len(s.runs) {
		s.runs = append(s.runs, predictedRun{})
	}
	s.runs[t.Key] = predictedRun{firstOf(s.RunTimes, t.Request), s.learned}
}

func (s *queueSimulation) observe(j *workload.Job) {
	s.learned++
	for _, p := range s.RunTimes {
		p.Observe(j)
	}
}

// firstOf returns the run time, s, of the first of the predictors that has one; NaN of none.
func firstOf(predictors []sched.Estimator, r *workload.Request) float64 {
	for _, p := range predictors {
		if x, ok := p.Predict(r); ok && x.Seconds >= 0 && !math.IsInf(x.Seconds, 1) {
			return x.Seconds
		}
	}
	return math.NaN()
}

// wait returns the predicted wait of the job that is the last to wait.
func (s *queueSimulation) wait(m *sched.State, queue []waitingOf) float64 {
	free, now := m.Free(), m.Now()
	s.ends = s.ends[:0]
	known := true
	for j := range m.Running() {
		run := s.run(j.Task)
		if math.IsNaN(run) {
			known = false
			continue
		}
		age := now - j.Start
		s.ends.Push(heap.Time[int64]{At: now + outlast(run, age) - age, Value: j.Request.Size})
	}
	at := now
	for i := range queue {
		j := &queue[i]
		for free < j.size {
			if !known || len(s.ends) == 0 {
				return math.NaN()
			}
			e := s.ends.Pop()
			at, free = max(at, e.At), free+e.Value
		}
		if i == len(queue)-1 {
			break
		}
		run := s.run(j.task)
		free -= j.size
		if math.IsNaN(run) {
			known = false
			continue
		}
		s.ends.Push(heap.Time[int64]{At: at + run, Value: j.size})
	}
	return at - now
}

// run returns the predicted run time of a job under way. A correction is asked
// for only where a job has ended since the last: queues are long, and jobs are
// submitted several at a time.
func (s *queueSimulation) run(t sched.Task) float64 {
	r := &s.runs[t.Key]
	if s.Corrected && r.learned != s.learned {
		*r = predictedRun{firstOf(s.RunTimes, t.Request), s.learned}
	}
	return r.seconds
}

// outlast doubles a predicted run time until it is longer than the age. A
// prediction of 0 counts as a second.
func outlast(run, age float64) float64 {
	if run <= age {
		run = max(run, 1)
	}
	for run <= age {
		run *= 2
	}
	return run
}

// queueWatch observes a simulated queue, and has each wait predicted at the submission.
// What happens at one instant counts in the log's order, as in workload.Timeline,
// however jobs overtake each other and sites take turns.
type queueWatch struct {
	simulations []*queueSimulation
	waiting     [][]waitingOf // by State.Index, in the order of submission

	now     float64
	starts  []QueueWait // of this instant
	whole   []QueueWait // of instants that are over
	endedAt float64
	ended   []workload.Job // at that time, of which is still to be learned
}

// waitingOf is a job that waits: little, because queues are walked through often.
type waitingOf struct {
	task        sched.Task
	size        int64
	ahead       int       // jobs that waited at its submission
	predictions []float64 // of its wait
}

func (q *queueWatch) submitted(t sched.Task, m *sched.State) {
	q.learn()
	for m.Index() >= len(q.waiting) {
		q.waiting = append(q.waiting, nil)
	}
	queue := q.waiting[m.Index()]
	predictions := make([]float64, len(q.simulations))
	queue = append(queue, waitingOf{t, t.Request.Size, len(queue), predictions})
	q.waiting[m.Index()] = queue
	for i, s := range q.simulations {
		s.submitted(t)
		predictions[i] = s.wait(m, queue)
	}
}

func (q *queueWatch) started(t sched.Task, m *sched.State) {
	q.learn()
	if m.Now() != q.now {
		q.settle()
		q.now = m.Now()
	}
	queue := q.waiting[m.Index()]
	i := slices.IndexFunc(queue, func(w waitingOf) bool { return w.task.Key == t.Key })
	q.starts = append(q.starts, QueueWait{*t.Request, queue[i].predictions, queue[i].ahead, m.Now() - t.Request.Submit})
	q.waiting[m.Index()] = slices.Delete(queue, i, i+1)
}

// settle ends an instant.
func (q *queueWatch) settle() {
	slices.SortStableFunc(q.starts, func(a, b QueueWait) int { return cmp.Compare(a.Request.Row, b.Request.Row) })
	q.whole = append(q.whole, q.starts...)
	q.starts = q.starts[:0]
}

func (q *queueWatch) ends(j *workload.Job, _ int32, m *sched.State) {
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

// WithEstimates yields the jobs and gives those without an estimate one drawn
// uniformly from [R, factor R], where R is the run time: the model of Sonmez
// and others (2009), section 5, with factor 5; it is finite and at least 1. draw returns a uniform random
// number in [0, 1).
func WithEstimates(jobs iter.Seq2[workload.Job, error], factor float64, draw func() float64) iter.Seq2[workload.Job, error] {
	return workload.Each(jobs, func(j *workload.Job) {
		if !(j.Time > 0) && j.Run >= 0 {
			j.Time = j.Run * (1 + (factor-1)*draw())
		}
	})
}
