package reshape

import (
	"fmt"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Method is a way to change the load of a log. Each keeps the daily cycle. Dividing all
// submission times by a factor would move noon to midnight, so it is not offered. Waits and
// all other values of jobs stay as in the log; simulate the result to get waits under the
// new load.
type Method string

// The methods.
const (
	// Thin draws the jobs that are kept, for lower loads. The distributions
	// over hours, weekdays and kinds of jobs stay; users submit fewer jobs.
	Thin Method = "thin"
	// Replicated adds copies of the users, for higher loads. See Replicate.
	Replicated Method = "replicate"
	// Interarrival shortens or stretches the time between jobs, measured along the weekly
	// cycle, for any load. See Warp.
	Interarrival Method = "interarrival"
)

// Methods returns the names of all methods.
func Methods() []string {
	return []string{string(Thin), string(Replicated), string(Interarrival)}
}

// DefaultMethod returns Thin for factors below 1 and Replicated for others.
func DefaultMethod(factor float64) Method {
	if factor < 1 {
		return Thin
	}
	return Replicated
}

// Factor returns the factor by which a log's load must be multiplied to reach the target
// offered load on a machine with the given processors. It returns an error if the load of
// the log is unknown or the target is out of range.
func (l *Load) Factor(processors int64, target float64) (float64, error) {
	now, err := l.checkOffered(processors, target)
	return target / now, err
}

// ThinJobs keeps each job with probability p, below 1. The load varies around p times that
// of the log, the more the larger single jobs are; Scale chooses p so that it does not.
func ThinJobs(jobs workload.JobSeq, p float64, rng *rand.Rand) (workload.JobSeq, error) {
	if !(p > 0 && p <= 1) {
		return nil, fmt.Errorf("thinning makes loads lower, not %.4g times as high: replicate or interarrival does that", p)
	}
	return SampleFraction(jobs, p, rng), nil
}
