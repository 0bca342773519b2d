package predict

import "github.com/loadstone-hpc/loadstone/workload"

// RunTimeDistribution is the predictive distribution of one job's run time, such
// as a *Distribution of package runtime.
type RunTimeDistribution interface {
	Quantile(q float64) float64 // s, for q in (0, 1)
	Survival(t float64) float64 // the probability of running longer than t seconds
}

// OwnLaws is lifetimes in which each job has a run time distribution of its
// own. It returns false if nothing is known about the job. Such a job, and one
// older than its distribution allows, follow the past-repeats heuristic of
// OneLaw.
type OwnLaws func(*workload.Request) (RunTimeDistribution, bool)

var _ Lifetimes = OwnLaws(nil)

// Of returns the lifetimes of one job.
func (l OwnLaws) Of(job *workload.Request) Lifetimes {
	d, ok := l(job)
	return oneJob{d, ok}
}

// Survival implements Lifetimes.
func (l OwnLaws) Survival(job *workload.Request, age, t float64) float64 {
	return l.Of(job).Survival(job, age, t)
}

// oneJob is the lifetimes of one job.
type oneJob struct {
	d     RunTimeDistribution
	known bool
}

// Survival implements Lifetimes; the request does not matter.
func (o oneJob) Survival(_ *workload.Request, age, t float64) float64 {
	if !o.known {
		return pastRepeats(age, t)
	}
	if s := o.d.Survival(age); s > 0 {
		return o.d.Survival(age+t) / s
	}
	return pastRepeats(age, t)
}

// remaining returns the time by which a job of that age has ended with the
// probability level, below 1.
func (o oneJob) remaining(age, level float64) float64 {
	if o.known {
		if s := o.d.Survival(age); s > 0 {
			return max(0, o.d.Quantile(1-s*(1-level))-age)
		}
	}
	return age * level / (1 - level) // of pastRepeats
}
