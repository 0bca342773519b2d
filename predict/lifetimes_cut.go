package predict

import "github.com/loadstone-hpc/loadstone/workload"

// CutAtLimit is lifetimes of jobs that are killed at the user's estimate: the
// wrapped ones until then, and all that they have beyond ends there. WithinLimit
// spreads that over the time before, as if no job was killed: that predicts
// single ends better, but the waits of schedules that add many up come out too
// short. A job without an estimate, or older than it, has the wrapped lifetimes.
//
// The wrapped lifetimes are to be those of jobs with such an estimate. A law of
// all jobs is too short for those that asked for much, and what it has too much
// of for the others is cut.
type CutAtLimit struct {
	Lifetimes Lifetimes
}

var _ Lifetimes = CutAtLimit{}

// Of returns the lifetimes of the job's class, cut at its own estimate.
func (c CutAtLimit) Of(job *workload.Request) Lifetimes {
	return CutAtLimit{lifetimesOf(c.Lifetimes, job)}
}

// Survival implements Lifetimes.
func (c CutAtLimit) Survival(job *workload.Request, age, t float64) float64 {
	if job != nil && job.Time > age && age+t >= job.Time {
		return 0
	}
	return c.Lifetimes.Survival(job, age, t)
}
