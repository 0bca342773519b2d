package predict

import "github.com/loadstone-hpc/loadstone/workload"

// WithinLimit models jobs that end by the user's estimate, which most systems
// enforce: the distribution given that the job ends within its requested time,
//
//	Pr{L > a+t | a < L <= T} = (S(t) - S(T-a)) / (1 - S(T-a)),
//
// where S is the survival of the wrapped lifetimes given the age a, and T the
// estimate. A job without an estimate, or older than it, has the wrapped
// lifetimes. This is not from Downey's papers; it raises the correlations on
// logs with estimates.
type WithinLimit struct {
	Lifetimes Lifetimes
}

var _ Lifetimes = WithinLimit{}

// Of returns the lifetimes of the job, within its own estimate.
func (w WithinLimit) Of(job *workload.Request) Lifetimes {
	return WithinLimit{lifetimesOf(w.Lifetimes, job)}
}

// Survival implements Lifetimes.
func (w WithinLimit) Survival(job *workload.Request, age, t float64) float64 {
	s := w.Lifetimes.Survival(job, age, t)
	if job == nil || !(job.Time > age) {
		return s
	}
	if age+t >= job.Time {
		return 0
	}
	beyond := w.Lifetimes.Survival(job, age, job.Time-age)
	if beyond >= 1 {
		return 1 // the law has no end before the limit: it is at the limit
	}
	return max(0, s-beyond) / (1 - beyond)
}
