package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// last2 predicts the mean run time of the two jobs of the class that ended
// last, or the run time of the only one.
// Sonmez and others (2009), section 3.1; Tsafrir, Etsion and Feitelson (2007).
type last2 struct{}

var _ rule = last2{}

func (last2) width() int { return 2 }

func (last2) observe(state []float64, _ int, j *workload.Job) {
	state[0], state[1] = j.Run, state[0]
}

func (last2) predict(state []float64, n int, _ *workload.Request) workload.Prediction {
	if n == 1 {
		return workload.Prediction{Seconds: state[0], Observations: 1}
	}
	return workload.Prediction{Seconds: (state[0] + state[1]) / 2, Observations: 2}
}
