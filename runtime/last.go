package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// last predicts the run time of the job of the class that ended last.
// Sonmez and others (2009), section 3.1.
type last struct{}

var _ rule = last{}

func (last) width() int { return 1 }

func (last) observe(state []float64, _ int, j *workload.Job) { state[0] = j.Run }

func (last) predict(state []float64, _ int, _ *workload.Request) workload.Prediction {
	return workload.Prediction{Seconds: state[0], Observations: 1}
}
