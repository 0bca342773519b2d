package predict

import (
	"fmt"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Estimates predicts the user's estimate as the run time. Under FCFS, if no job
// outlives its estimate, a schedule simulated with estimates gives an upper
// bound of every wait.
type Estimates struct{}

var _ RunTimePredictor = Estimates{}

// Predict returns the request's Time, in seconds.
func (Estimates) Predict(r workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: r.Time}, r.Time > 0
}

// Observe does nothing.
func (Estimates) Observe(workload.Job) {}

// WithEstimates yields the jobs and gives those without an estimate one drawn
// uniformly from [R, factor R], where R is the run time: the model of Sonmez
// and others (2009), section 5, with factor 5. draw returns a uniform random
// number in [0, 1).
func WithEstimates(jobs iter.Seq2[workload.Job, error], factor float64, draw func() float64) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		if !(factor >= 1) || math.IsInf(factor, 1) {
			yield(workload.Job{}, fmt.Errorf("estimates of up to %g times the run time, want a finite number of at least 1", factor))
			return
		}
		for j, err := range jobs {
			if err == nil && !(j.Time > 0) && j.Run >= 0 {
				j.Time = j.Run * (1 + (factor-1)*draw())
			}
			if !yield(j, err) {
				return
			}
		}
	}
}
