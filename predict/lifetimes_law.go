package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/workload"
)

// LawLifetimes is the lifetimes of jobs that all follow one law of run times in
// seconds. Any law is allowed; OneLaw is for Downey's. A job that must have
// ended by the law (its survival at the age is 0) follows the rule of OneLaw.
type LawLifetimes struct {
	Law dist.Law
}

var _ Lifetimes = LawLifetimes{}

// Survival implements Lifetimes; the request does not matter.
func (l LawLifetimes) Survival(_ *workload.Request, age, t float64) float64 {
	if l.Law.Survival(age) <= 0 {
		return pastRepeats(age, t)
	}
	return dist.SurvivalGiven(l.Law, age, t)
}

// pastRepeats is the survival of a job older than its law allows.
func pastRepeats(age, t float64) float64 {
	if math.IsInf(age+t, 1) {
		return 0
	}
	return age / (age + t)
}
