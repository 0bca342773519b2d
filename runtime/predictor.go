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
// A Predictor is used by one goroutine.
type Predictor interface {
	Predict(workload.Request) (workload.Prediction, bool)
	Observe(workload.Job)
}

// Fallible is a Predictor that can fail, such as one that is another program. After a call
// of Predict or Observe, Err returns the error for which it cannot go on, or nil. A replay
// ends with that error.
type Fallible interface {
	Predictor
	Err() error
}
