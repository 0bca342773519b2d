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

// Simulated is a point predictor of waits: when a job is submitted, the
// schedule of all running and waiting jobs at its site is simulated with
// predicted run times. Sonmez and others (2009), section 4.1, under FCFS.
//
// RunTimes are asked in turn, the finest class first, until one has a
// prediction. If none has one for a job, the jobs behind it have no predicted
// wait either. A prediction that a running job has outlived is doubled until
// it exceeds the job's age. If Corrected is true, the predictions of all queued
// and running jobs are updated after each completion; otherwise each job keeps
// the prediction made at its submission.
type Simulated struct {
	RunTimes  []sched.Estimator // at least one, the finest class first
	Corrected bool              // whether completions update earlier predictions
}

// QueueWait is one job of a simulated queue: the waits predicted at its
// submission, and the actual wait.
type QueueWait struct {
	Request workload.Request
	// Predictions holds the predicted wait of each predictor, in their order and
	// in seconds; NaN if there is none. It is valid until the next QueueWait.
	Predictions []float64
	Queued      int     // number of jobs waiting at its site at its submission
	Actual      float64 // s, the wait
}

// QueueWaits simulates the machine under FCFS (machine.Policy is ignored) with the jobs' run
// times, and yields each job when it starts. Predictions are made at the job's submission, from
// requests, ages and the jobs that had ended by then. All sites share the predictors of
// run times. The jobs must be in order of submission (see workload.InOrder). Errors are
// those of sched.Simulate, and one for a predictor without RunTimes. The sequence ends after
// an error.
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
			for _, w := range q.ready {
				if !yield(w, nil) {
					return
				}
			}
			q.ready = q.ready[:0]
		}
		q.settle()
		for _, w := range q.ready {
			if !yield(w, nil) {
				return
			}
		}
	}
}

// queueSimulation is a predictor with its predicted run times of the queued and running jobs.
type queueSimulation struct {
	Simulated
	learned int               // number of jobs that have ended
	runs    []predictedRun    // by sched.Task.Key
	ends    heap.Times[int64] // processors freed, by time; scratch space of wait
}

// predictedRun is a predicted run time.
type predictedRun struct {
	seconds float64 // NaN if unknown
	learned int     // queueSimulation.learned when it was predicted
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

// firstOf returns the run time, in seconds, from the first of the predictors that has a
// prediction; NaN if none has.
func firstOf(predictors []sched.Estimator, r *workload.Request) float64 {
	for _, p := range predictors {
		if x, ok := p.Predict(r); ok && x.Seconds >= 0 && !math.IsInf(x.Seconds, 1) {
			return x.Seconds
		}
	}
	return math.NaN()
}

// wait returns the predicted wait of the last job in the queue, in seconds, or NaN.
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

// run returns the predicted run time of a queued or running job. The prediction is
// updated only if a job has ended since, because queues are long and many jobs may
// be submitted between two completions.
func (s *queueSimulation) run(t sched.Task) float64 {
	r := &s.runs[t.Key]
	if s.Corrected && r.learned != s.learned {
		*r = predictedRun{firstOf(s.RunTimes, t.Request), s.learned}
	}
	return r.seconds
}

// outlast doubles a predicted run time until it is longer than the age. It
// starts from at least a second.
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
// It processes the events of one instant in the log's order, as workload.Timeline does,
// even if the simulator reports them in another order, such as site by site.
type queueWatch struct {
	simulations []*queueSimulation
	waiting     [][]waitingOf // by State.Index, in order of submission

	now     float64
	starts  []QueueWait // jobs started at time now
	ready   []QueueWait // jobs started at earlier times, not yet yielded
	endedAt float64
	ended   []workload.Job // jobs ended at endedAt that have not been learned
}

// waitingOf is a waiting job. It is small because queues are traversed often.
type waitingOf struct {
	task        sched.Task
	size        int64
	ahead       int       // number of waiting jobs at its submission
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

// settle moves the jobs started at time now to ready, in the log's order.
func (q *queueWatch) settle() {
	slices.SortStableFunc(q.starts, func(a, b QueueWait) int { return cmp.Compare(a.Request.Row, b.Request.Row) })
	q.ready = append(q.ready, q.starts...)
	q.starts = q.starts[:0]
}

func (q *queueWatch) ends(j *workload.Job, _ int32, m *sched.State) {
	if m.Now() != q.endedAt {
		q.learn()
		q.endedAt = m.Now()
	}
	q.ended = append(q.ended, *j)
}

// learn passes the ended jobs to the predictors of run times, in the log's order.
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
// and others (2009), section 5, where factor is 5. factor must be finite and at
// least 1. draw returns a uniform random number in [0, 1).
func WithEstimates(jobs iter.Seq2[workload.Job, error], factor float64, draw func() float64) iter.Seq2[workload.Job, error] {
	return workload.Each(jobs, func(j *workload.Job) {
		if !(j.Time > 0) && j.Run >= 0 {
			j.Time = j.Run * (1 + (factor-1)*draw())
		}
	})
}
