package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// Predictor predicts run times and learns from jobs that have ended.
//
// Predict is called when a job is submitted. It returns the predicted run time
// in seconds and the number of past jobs on which it is based, or false if it has no
// prediction. It must not count the request as an observation.
//
// Observe is called once for each job when it ends, in order of the ends, with a
// run time that is finite and not negative. Some requests may never be observed, since a
// replay leaves out some jobs.
//
// A Predictor must neither keep nor change the request and the job.
//
// A Predictor is used by one goroutine, and must be deterministic: the same calls must have
// the same results. A prediction that is negative or not a finite number ends a replay with an
// error that names the predictor.
type Predictor interface {
	// Predict returns the run time predicted for a request; false if there is no prediction.
	Predict(*workload.Request) (workload.Prediction, bool)
	// Observe learns from a job that has ended.
	Observe(*workload.Job)
}

// Rule makes predictors that predict the run times of a class of jobs from the jobs of the class
// that have ended. A Rule has parameters, its fields, but no state, and may be used in several
// replays at once. Rules returns those of this package; a caller may append others to the list
// given to RuleNamed or Entries.
type Rule interface {
	// Name returns the predictor's name in options and results, such as "last2". It contains
	// no commas or parentheses, and is unique in a list of rules.
	Name() string
	// New returns a predictor for one class. Its requests and observed jobs are all of that
	// class, except that a predictor that has observed no job may be used for requests of
	// several classes.
	New() Predictor
}

// Fallible is a Predictor that can fail, such as an external program. A replay ends
// with the error of an Entry.Own that fails.
type Fallible interface {
	Predictor
	// Err returns the error that prevents further predictions, or nil.
	Err() error
}
