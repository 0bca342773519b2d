package predict

import (
	"fmt"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Estimates predicts the user's estimate as the run time. Under FCFS, where no
// job outlives its estimate, a schedule simulated with estimates bounds every
// wait from above.
type Estimates struct{}

var _ RunTimePredictor = Estimates{}

// Predict returns the request's Time.
func (Estimates) Predict(r workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: r.Time}, r.Time > 0
}

// Observe does nothing.
func (Estimates) Observe(workload.Job) {}

// WithEstimates yields the jobs, those without an estimate with one that is
// uniform on [R, factor R], R the run time: the model of Sonmez and others
// (2009), section 5, factor 5. draw is uniform on [0, 1).
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
