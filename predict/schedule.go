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
	jobs := make([]workload.Job, 0, len(s.Running)+len(s.Queued)+1)
	// Those that run start a second before the others come: they all fit. Time
	// 0 is that second.
	const ahead = 1
	for i := range s.Running {
		o := &s.Running[i]
		run := length(o.Request, o.Age)
		if math.IsNaN(run) {
			return math.NaN(), &UnknownLengthError{o.Request.Label()}
		}
		j := scheduled(o.Request, o.Size, 0, min(Longest, max(0, run-o.Age))+ahead)
		if o.Request.Time > o.Age {
			j.Time = o.Request.Time - o.Age + ahead
		}
		jobs = append(jobs, j)
	}
	for i := range s.Queued {
		q := &s.Queued[i]
		run := length(q, 0)
		if math.IsNaN(run) {
			return math.NaN(), &UnknownLengthError{q.Label()}
		}
		jobs = append(jobs, scheduled(q, q.Size, ahead, min(Longest, max(0, run))))
	}
	run := length(r, 0)
	if math.IsNaN(run) {
		if policy.UsesEstimates() {
			return math.NaN(), &UnknownLengthError{TheRequest}
		}
		run = 0
	}
	jobs = append(jobs, scheduled(r, r.Size, ahead, min(Longest, max(0, run))))
	last := int64(len(jobs) - 1)
	for i := range jobs {
		jobs[i].Row = int64(i)
	}
	stream := workload.JobsOf(jobs)
	config := sched.Config{Processors: s.Processors, Policy: policy}
	for j, err := range sched.Simulate(stream, config, nil) {
		if err != nil {
			return math.NaN(), err
		}
		if j.Row == last {
			return j.Wait, nil
		}
	}
	return math.NaN(), fmt.Errorf("the request never starts under policy %s", policy.Name())
}

// scheduled is a job of the schedule. Its estimate is the user's, else its run
// time.
func scheduled(r *workload.Request, size int64, submit, run float64) workload.Job {
	j := workload.UnknownJob()
	j.Request = *r
	j.Submit, j.Size, j.Run = submit, size, run
	if !(j.Time > 0) || submit == 0 {
		j.Time = max(run, Shortest)
	}
	return j
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
