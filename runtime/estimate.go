package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// estimate predicts the user's estimate of the run time, or the requested limit. It learns
// nothing, so it is the same for all classes and has no observations.
type estimate struct{}

func (e estimate) New() Predictor { return e }

func (estimate) Observe(*workload.Job) {}

func (estimate) Predict(r *workload.Request) (workload.Prediction, bool) {
	if seconds, ok := requestedTime(r); ok {
		return workload.Prediction{Seconds: seconds}, true
	}
	return nothing()
}
