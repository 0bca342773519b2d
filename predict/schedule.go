package predict

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunLength returns the total run time of a job in seconds, given that it has
// run for age seconds (0 if it has not started); NaN if it is unknown.
type RunLength func(r *workload.Request, age float64) float64

// PredictedLength returns the run time from the first of the predictors that
// has a prediction, doubled until it exceeds the age. While the job is younger
// than the user's estimate, the result is at most that estimate, at which a
// system kills the job.
func PredictedLength(predictors ...RunTimePredictor) RunLength {
	return func(r *workload.Request, age float64) float64 {
		for _, p := range predictors {
			x, ok := p.Predict(*r)
			if !ok || !(x.Seconds >= 0) || math.IsInf(x.Seconds, 1) {
				continue
			}
			run := x.Seconds
			if age > 0 {
				run = outlast(run, age)
			}
			if r.Time > age {
				run = min(run, r.Time)
			}
			return run
		}
		return math.NaN()
	}
}

// ScheduledWait returns how long a request that is submitted now will wait, in
// seconds, if jobs run as long as length says. It simulates the running and
// queued jobs and the request under the policy, without later arrivals. A
// policy that uses estimates plans with a job's own estimate while the job is
// younger than that, else with its run time.
//
// length is called for each running job, then for each queued one, then for the
// request. An unknown length is an *UnknownLengthError; that of the request
// only if the policy uses estimates.
func (s *Snapshot) ScheduledWait(policy sched.Policy, r *workload.Request, length RunLength) (float64, error) {
	if r.Size < 1 || r.Size > s.Processors {
		return math.NaN(), fmt.Errorf("a request of %d processors, want 1 to the machine's %d", r.Size, s.Processors)
	}
	lengths := make([]float64, 0, len(s.Running)+len(s.Queued)+1)
	queue := make([]*workload.Request, 0, len(s.Queued)+1)
	for i := range s.Running {
		o := &s.Running[i]
		run := length(o.Request, o.Age)
		if math.IsNaN(run) {
			return math.NaN(), &UnknownLengthError{o.Request.Label()}
		}
		lengths = append(lengths, run-o.Age)
	}
	for i := range s.Queued {
		q := &s.Queued[i]
		run := length(q, 0)
		if math.IsNaN(run) {
			return math.NaN(), &UnknownLengthError{q.Label()}
		}
		lengths, queue = append(lengths, run), append(queue, q)
	}
	run := length(r, 0)
	if math.IsNaN(run) {
		if policy.UsesEstimates() {
			return math.NaN(), &UnknownLengthError{TheRequest}
		}
		run = 0
	}
	own := math.NaN()
	err := s.Schedule(policy, append(queue, r), append(lengths, run), 1, nil, func(i int, wait float64) bool {
		if i == len(queue) {
			own = wait
		}
		return i != len(queue)
	})
	if err == nil && math.IsNaN(own) {
		err = fmt.Errorf("the request never starts under policy %s", policy.Name())
	}
	return own, err
}

// Schedule simulates what comes of the running jobs and of a queue, without later arrivals.
// lengths are how much longer the running jobs run, and how long those of the queue, in this
// order, s. started is told when a job of the queue starts, by its place, and ends the
// simulation by returning false. observe may be nil.
//
// The jobs that run start at time 0, and those of the queue are submitted after the lead, s:
// 0 does for a policy that starts jobs of one instant in their order if they fit.
func (s *Snapshot) Schedule(policy sched.Policy, queue []*workload.Request, lengths []float64, lead float64, observe sched.Observer, started func(i int, wait float64) bool) error {
	jobs := func(yield func(workload.Job, error) bool) {
		for i, length := range lengths {
			length = min(Longest, max(0, length))
			j := workload.UnknownJob()
			var before, age float64 // the lead of one that runs, and its age
			if i < len(s.Running) {
				o := &s.Running[i]
				j.Request, j.Size, age, before = *o.Request, o.Size, o.Age, lead
			} else {
				j.Request = *queue[i-len(s.Running)]
			}
			j.Row, j.Submit, j.Run = int64(i), lead-before, length+before
			// The estimate is the user's, else the run time.
			if left := j.Time - age; left > 0 && j.Time < Longest {
				j.Time = left + before
			} else {
				j.Time = max(j.Run, Shortest)
			}
			if !yield(j, nil) {
				return
			}
		}
	}
	for j, err := range sched.Simulate(jobs, sched.Config{Processors: s.Processors, Policy: policy}, observe) {
		if err != nil {
			return err
		}
		if i := int(j.Row) - len(s.Running); i >= 0 && !started(i, j.Wait) {
			return nil
		}
	}
	return nil
}

// TheRequest is the value of UnknownLengthError.Job for the request whose wait
// is predicted.
const TheRequest = "the request"

// UnknownLengthError is the error for a job whose run time is unknown. Job
// describes the job.
type UnknownLengthError struct{ Job string }

func (e *UnknownLengthError) Error() string {
	return "the run time of " + e.Job + " is unknown"
}
