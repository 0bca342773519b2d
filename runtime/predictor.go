package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// Predictor predicts run times and learns from the jobs that ended.
//
// Predict is called when a job is submitted. It returns the predicted run time
// in seconds and the number of past jobs behind it, and false where it has
// nothing to say. It must not count the request as an observation.
//
// Observe is called when a job ends, in order of the ends, once a job, with a
// run time that is finite and not negative. A replay may hold back jobs that
// it left out, so that not every request need be observed.
//
// The request and the job are neither kept nor changed.
//
// A Predictor is used by one goroutine, and is deterministic: the same calls have the
// same answers. A prediction that is negative or not a finite number ends a replay with an
// error that names the predictor.
type Predictor interface {
	// Predict returns the run time predicted for a request; false where there is none.
	Predict(*workload.Request) (workload.Prediction, bool)
	// Observe learns from a job that has ended.
	Observe(*workload.Job)
}

// Rule predicts the run times of one class of jobs from those of the class that have
// ended. A Rule holds no state: it is its parameters, which are its own fields, and may be
// used in several replays at once. Rules lists those of this package; a caller may append
// others to the list in which RuleNamed, New and Entries look up names.
type Rule interface {
	// Name is the predictor's name in options and results, such as "last2". It has no
	// commas or parentheses, and no other rule of the list has it.
	Name() string
	// New makes the predictor of one class, of which no job has ended. It is asked
	// about requests of the class, and observes jobs of the class, alone. One that has
	// observed none may be asked about requests of several classes.
	New() Predictor
}

// Fallible is a Predictor that can fail, such as one that is another program. A replay ends
// with the error of an Entry's own.
type Fallible interface {
	Predictor
	// Err returns the error for which the predictor cannot go on, or nil.
	Err() error
}
