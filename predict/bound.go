package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Bound is a predicted upper bound of one job's wait. It repeats what was
// asked and says what it achieves.
type Bound struct {
	Seconds      float64 // the bound; NaN where there is none
	Quantile     float64 // the share of waits that the bound is to cover, in (0, 1)
	Confidence   float64 // asked: the probability that it covers that share, in (0, 1)
	Achieved     float64 // that probability, exact for independent waits; NaN where the method does not say
	Rank         int     // the order statistic that the bound is, from 1; 0 where it is none
	Observations int     // the length of the history that it rests on
	Group        string  // the jobs that it holds for, such as "5-16" processors
}

// NoBound returns a Bound with nothing known.
func NoBound() Bound {
	return Bound{Seconds: math.NaN(), Quantile: math.NaN(), Confidence: math.NaN(), Achieved: math.NaN()}
}

// BoundPredictor predicts upper bounds of waits from past ones. It is used by one
// goroutine, and is deterministic: the same calls have the same answers. It is told what
// is known at the moment of a call and no more; the requests and waits of other jobs may
// be remembered. A replay (Bounds) tells it of every job with a known wait, in the order of
// workload.Timeline, and ends with an error that names it where it predicts NaN.
type BoundPredictor interface {
	Name() string // as in commands and tables, such as "bmbp"
	// Predict returns the bound for a job that is submitted now. It is false
	// where the history is too short. It does not count the request as a job.
	Predict(r workload.Request) (Bound, bool)
	// Observe learns the wait of a job that starts now, and what was
	// predicted for it at its submission (Seconds NaN where nothing was):
	// runs of waits above their bounds show that the past no longer counts.
	// A job whose wait is unknown is ignored.
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
	// Groups sorts jobs into those whose waits are taken to be alike, by any
	// columns; nil is ranges of processors (see Group).
	Groups *workload.Classifier
	// Changes says when older waits no longer count.
	Changes ChangeRule
	// Features are more columns for a predictor that learns from the state of the
	// queue; they are known at submission.
	Features []*workload.Column
	// Methods are those among which NewBounds looks up a name; nil stands for
	// BoundMethods().
	Methods []BoundMethod
	// Fallback makes what a Conformal answers until it has learned; nil is BMBP with these
	// options.
	Fallback func(quantile, confidence float64) (BoundPredictor, error)
	// Resume is a Conformal that NewBounds goes on with; nil is a new one.
	Resume *Conformal
}
