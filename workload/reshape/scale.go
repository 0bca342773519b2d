package reshape

import (
	"fmt"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Method is a way to change the load of a log. Each keeps the daily cycle; dividing
// all submission times by a factor, which moves noon to midnight, is none of them.
// Waits and everything else in the jobs stay as the log has them: to get waits under
// the new load, simulate the result.
type Method string

// The methods.
const (
	// Thin keeps each job with the same probability: for lower loads. Hours,
	// weekdays and jobs keep their distributions; users send fewer jobs.
	Thin Method = "thin"
	// Replicated adds copies of the users: for higher loads. See Replicate.
	Replicated Method = "replicate"
	// Interarrival shrinks or stretches the time between jobs, in time that
	// passes as the cycle has it: for any load. See Warp.
	Interarrival Method = "interarrival"
)

// Methods returns the names of the methods.
func Methods() []string {
	return []string{string(Thin), string(Replicated), string(Interarrival)}
}

// DefaultMethod is Thin for lower loads and Replicated for higher ones.
func DefaultMethod(factor float64) Method {
	if factor < 1 {
		return Thin
	}
	return Replicated
}

// Factor returns what the load of a log has to be multiplied with to reach a
// target on a machine of so many processors.
func (l *Load) Factor(processors int64, target float64) (float64, error) {
	now, err := l.checkOffered(processors, target)
	return target / now, err
}

// ThinJobs keeps each job with probability p, below 1. The load that it makes
// varies about p times the log's: by as much as single jobs weigh in it.
func ThinJobs(jobs workload.JobSeq, p float64, rng *rand.Rand) (workload.JobSeq, error) {
	if !(p > 0 && p <= 1) {
		return nil, fmt.Errorf("thinning makes loads lower, not %.4g times as high: replicate or interarrival does that", p)
	}
	return SampleFraction(jobs, p, rng), nil
}
