package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// rm is the running mean: the mean of all run times of the class. The sum is
// kept, which is exact for whole seconds.
// Sonmez and others (2009), section 3.1.
type rm struct{}

var _ rule = rm{}

func (rm) width() int { return 1 }

func (rm) observe(state []float64, _ int, j *workload.Job) { state[0] += j.Run }

func (rm) predict(state []float64, n int, _ *workload.Request) workload.Prediction {
	return workload.Prediction{Seconds: state[0] / float64(n), Observations: n}
}
