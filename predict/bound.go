package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Bound is a predicted upper bound of one job's wait. It repeats the request
// and reports what it achieves.
type Bound struct {
	Seconds      float64 // the bound in seconds; NaN if there is none
	Quantile     float64 // requested: the share of waits that the bound is to cover, in (0, 1)
	Confidence   float64 // requested: the probability that it covers that share, in (0, 1)
	Achieved     float64 // the achieved probability, exact for independent waits; NaN if the method does not provide it
	Rank         int     // the order statistic that the bound is, counted from 1; 0 if it is none
	Observations int     // the length of the history on which it rests
	Group        string  // the jobs for which it holds, such as "5-16" processors
}

// NoBound returns a Bound whose Seconds, Quantile, Confidence and Achieved are
// NaN.
func NoBound() Bound {
	return Bound{Seconds: math.NaN(), Quantile: math.NaN(), Confidence: math.NaN(), Achieved: math.NaN()}
}

// BoundPredictor predicts upper bounds of waits from past waits. It is used by
// one goroutine and must be deterministic: the same calls give the same
// answers. A call contains only what is known at that moment; the predictor may
// remember the requests and waits of other jobs. A replay (Bounds) passes it
// every job with a known wait, in the order of workload.Timeline. If it returns
// NaN as a bound the replay ends with an error that names it. Other bounds,
// infinite and negative ones too, are scored as they are.
type BoundPredictor interface {
	Name() string // as in commands and tables, such as "bmbp"
	// Predict returns the bound for a job that is submitted now, and false if
	// the history is too short. It does not count the request as a job.
	Predict(r workload.Request) (Bound, bool)
	// Observe learns the wait of a job that starts now. given is the bound
	// predicted at its submission (Seconds NaN if there was none): runs of
	// waits above their bounds show that the past no longer counts. A job
	// whose wait is unknown is ignored.
	Observe(j workload.Job, given Bound)
}

// QueueWatcher is a BoundPredictor that follows the queue and the machine: a replay calls
// Submitted and Ended for every job, in the order of workload.Timeline. A QueueWatcher
// ignores calls for jobs that it does not know, and repeated ones.
type QueueWatcher interface {
	BoundPredictor
	// Submitted records that a job is submitted now, which Predict does not.
	Submitted(r workload.Request)
	// Ended records that a job ends, or that a waiting one is withdrawn, at that time.
	Ended(r workload.Request, now float64)
}

// BoundOptions are the choices that all predictors of bounds share. The zero
// value is the default.
type BoundOptions struct {
	// Groups sorts jobs, by any columns, into groups whose waits are assumed
	// to be alike; nil means ranges of processors (see Group).
	Groups *workload.Classifier
	// Changes determines when older waits no longer count.
	Changes ChangeRule
	// Methods is the list in which NewBounds looks up names; nil means
	// BoundMethods().
	Methods []BoundMethod
	// Fallback returns the predictor whose bounds a Conformal gives until it
	// has learned; nil means BMBP with these options.
	Fallback func(quantile, confidence float64) (BoundPredictor, error)
}
