package predict

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimePredictor predicts how long a job will run, in seconds, and learns
// from jobs that have ended; the predictors of package runtime implement it.
// Its prediction for a request changes only when it learns.
type RunTimePredictor interface {
	// Predict returns the predicted run time in seconds, and false if it has
	// none. Seconds that are negative or not a finite number count as none.
	Predict(workload.Request) (workload.Prediction, bool)
	// Observe learns from a job that has ended.
	Observe(workload.Job)
}

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
	Label     string             // in commands and tables, such as "simulated-corrected"
	RunTimes  []RunTimePredictor // at least one, the finest class first
	Corrected bool               // whether completions correct earlier predictions
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

// QueueConfig describes the machine or machines whose queues are predicted.
type QueueConfig struct {
	Processors int64           // as in sched.Config
	Sites      map[int64]int64 // as in sched.Config: a machine for each partition
	// Policy is sched.FCFS (the default) or sched.EASY, which backfills by the
	// users' estimates, in the queue itself and in the predictors' simulations
	// of it.
	Policy   sched.Policy
	Warnings *workload.Warnings // as in sched.Config
}

// QueueWaits simulates the machine with the jobs' run times and yields each job
// as it starts. Predictions are made at the job's submission, from requests,
// ages and the jobs that had ended by then. All sites share the predictors of
// run times. The jobs come by submission (see workload.InOrder). Errors are
// those of sched.Simulate. After an error nothing follows.
func QueueWaits(jobs iter.Seq2[workload.Job, error], c QueueConfig, predictors []Simulated) iter.Seq2[QueueWait, error] {
	return func(yield func(QueueWait, error) bool) {
		if err := c.check(predictors); err != nil {
			yield(QueueWait{}, err)
			return
		}
		q := &queueWatch{easy: c.Policy == (sched.EASY{}), now: math.Inf(-1), endedAt: math.Inf(-1)}
		for _, p := range predictors {
			q.simulations = append(q.simulations, &queueSimulation{Simulated: p})
		}
		machine := sched.Config{Processors: c.Processors, Sites: c.Sites, Policy: c.Policy, Warnings: c.Warnings}
		for _, err := range sched.Simulate(jobs, machine, q) {
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

func (c *QueueConfig) check(predictors []Simulated) error {
	switch c.Policy {
	case nil, sched.FCFS{}, sched.EASY{}:
	default:
		return fmt.Errorf("predictions by simulation under policy %s, want fcfs or easy", c.Policy.Name())
	}
	for _, p := range predictors {
		if len(p.RunTimes) == 0 {
			return errors.New("a simulated schedule without a predictor of run times")
		}
	}
	return nil
}

// queueSimulation is one predictor and what it predicts of the jobs under way.
type queueSimulation struct {
	Simulated
	learned int            // jobs that have ended
	runs    []predictedRun // by sched.Task.Key
	ends    heap.Times[int64]
	running []sched.Running // that are simulated (EASY)
	jobs    []workload.Job  // that are simulated (EASY)
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
	s.runs[t.Key] = predictedRun{s.predict(t.Request), s.learned}
}

func (s *queueSimulation) observe(j *workload.Job) {
	s.learned++
	for _, p := range s.RunTimes {
		p.Observe(*j)
	}
}

func (s *queueSimulation) predict(r *workload.Request) float64 {
	for _, p := range s.RunTimes {
		if x, ok := p.Predict(*r); ok && x.Seconds >= 0 && !math.IsInf(x.Seconds, 1) {
			return x.Seconds
		}
	}
	return math.NaN()
}

// wait returns the predicted wait of the job that is the last to wait, under
// FCFS.
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
		*r = predictedRun{s.predict(t.Request), s.learned}
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
