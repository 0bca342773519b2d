package predict

import "github.com/loadstone-hpc/loadstone/workload"

// CutAtLimit models jobs that are killed at the user's estimate: the wrapped
// lifetimes up to the estimate, at which all the remaining probability ends.
// WithinLimit spreads that probability over the time before, as if no job were
// killed. It predicts single ends better, but schedules that add up many of its
// run times have too short waits. A job without an estimate, or older than it,
// has the wrapped lifetimes.
//
// The wrapped lifetimes should be those of jobs with similar estimates. The law
// of all jobs is too short for jobs with long estimates, while for the others
// its excess is cut.
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
