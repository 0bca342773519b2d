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

// PredictedLength returns a RunLength whose result is the run time from the first of
// the predictors that has a prediction, doubled until it exceeds the age. While the
// job is younger than the user's estimate, the result is at most that estimate, at
// which a system kills the job.
func PredictedLength(predictors ...sched.Estimator) RunLength {
	return func(r *workload.Request, age float64) float64 {
		run := firstOf(predictors, r)
		if age > 0 && !math.IsNaN(run) {
			run = outlast(run, age)
		}
		if r.Time > age {
			run = min(run, r.Time) // NaN stays NaN
		}
		return run
	}
}

// ScheduledWait returns the wait, in seconds, of a request that is submitted now,
// if the run times are those returned by length. It simulates the running and
// queued jobs and the request under the policy, without later arrivals. A
// policy that uses estimates plans with a job's own estimate while the job is
// younger than that, else with its run time.
//
// length is called for each running job, then for each queued one, then for the
// request. If a length is unknown, the error is an *UnknownLengthError; the length
// of the request must be known only if the policy uses estimates.
func (s *Snapshot) ScheduledWait(policy sched.Policy, r *workload.Request, length RunLength) (float64, error) {
	if err := s.admits(r); err != nil {
		return math.NaN(), err
	}
	var unknown error
	var lengths []float64
	enter := func(r *workload.Request, age float64, name string) {
		run := length(r, age)
		if math.IsNaN(run) && unknown == nil {
			unknown = &UnknownLengthError{name}
		}
		lengths = append(lengths, run-age)
	}
	for i := range s.Running {
		o := &s.Running[i]
		enter(o.Request, o.Age, o.Request.Label())
	}
	var queue []*workload.Request
	for i := range s.Queued {
		enter(&s.Queued[i], 0, s.Queued[i].Label())
		queue = append(queue, &s.Queued[i])
	}
	if unknown == nil {
		if enter(r, 0, TheRequest); unknown != nil && !policy.UsesEstimates() {
			lengths[len(lengths)-1], unknown = 0, nil
		}
	}
	if unknown != nil {
		return math.NaN(), unknown
	}
	own := math.NaN()
	err := s.schedule(policy, append(queue, r), lengths, func(i int, wait float64) bool {
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

// admits returns an error if the machine is too small for a request.
func (s *Snapshot) admits(r *workload.Request) error {
	if r.Size < 1 || r.Size > s.Processors {
		return fmt.Errorf("a request of %d processors, want 1 to the machine's %d", r.Size, s.Processors)
	}
	return nil
}

// schedule simulates the running jobs and a queue, without later arrivals. lengths holds, in
// seconds, the remaining run times of the running jobs, followed by the run times of the queued
// jobs. started is called when job i of the queue starts; it ends the simulation by returning
// false.
//
// The running jobs start at time 0 and those of the queue are submitted a second later, because
// some policies reorder jobs that are submitted at the same instant.
func (s *Snapshot) schedule(policy sched.Policy, queue []*workload.Request, lengths []float64, started func(i int, wait float64) bool) error {
	const lead = 1.0
	jobs := func(yield func(workload.Job, error) bool) {
		for i, length := range lengths {
			length = min(Longest, max(0, length))
			j := workload.UnknownJob()
			var before, age float64 // lead and age of a running job, else 0
			if i < len(s.Running) {
				o := &s.Running[i]
				j.Request, j.Size, age, before = *o.Request, o.Size, o.Age, lead
			} else {
				j.Request = *queue[i-len(s.Running)]
			}
			j.Row, j.Submit, j.Run = int64(i), lead-before, length+before
			// The estimate is the rest of the user's estimate or, if there is none, the run time.
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
	for j, err := range sched.Simulate(jobs, sched.Config{Processors: s.Processors, Policy: policy}, nil) {
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
