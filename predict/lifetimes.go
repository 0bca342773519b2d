package predict

import (
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Lifetimes tells how much longer running jobs will run.
type Lifetimes interface {
	// Survival returns the probability that a job that has run for age seconds
	// runs more than t seconds longer, for age, t >= 0. It does not increase
	// with t and is defined for every age. The request must not be changed or
	// kept.
	Survival(job *workload.Request, age, t float64) float64
}

// lifetimesOf returns the lifetimes of one job's class, where these have
// classes, else the lifetimes themselves.
func lifetimesOf(l Lifetimes, job *workload.Request) Lifetimes {
	if c, ok := l.(interface {
		Of(*workload.Request) Lifetimes
	}); ok {
		return c.Of(job)
	}
	return l
}

// OneLaw is the lifetimes of jobs that all follow one uniform-log law:
// Downey (1997), "Predicting queue times on space-sharing parallel computers",
// section 3, equation 3.
//
//   - Younger than TMin: F(age) is 0, but the job keeps its true age, so the
//     earliest end is TMin - age from now.
//   - From TMin to TMax: Pr{L > age+t | L > age} by the law.
//   - TMax and older: the law is undefined, and the paper warns that such jobs
//     do not end soon. They survive t seconds more with probability age / (age
//   - t), the past-repeats heuristic of Harchol-Balter and Downey: the median
//     remaining lifetime is the age. The alternative rule, that they end at
//     once, gives predictions near zero and lowers the correlation of
//     logarithms by up to 0.18 on three logs (docs/findings/papers.md).
type OneLaw struct {
	Law dist.UniformLog
}

var _ Lifetimes = OneLaw{}

// Survival implements Lifetimes; the request does not matter.
func (l OneLaw) Survival(_ *workload.Request, age, t float64) float64 {
	if l.Law.Outlived(age) {
		return pastRepeats(age, t)
	}
	return l.Law.SurvivalGiven(age, t)
}
