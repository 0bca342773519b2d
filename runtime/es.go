package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// es is exponential smoothing: alpha times the newest run time and the rest
// times the prediction before it; the first run time stands for itself.
// Sonmez and others (2009), section 3.1.
type es struct{ alpha float64 }

var _ rule = es{}

func (es) width() int { return 1 }

func (e es) observe(state []float64, n int, j *workload.Job) {
	if n == 0 {
		state[0] = j.Run
		return
	}
	state[0] = e.alpha*j.Run + (1-e.alpha)*state[0]
}

func (es) predict(state []float64, n int, _ *workload.Request) workload.Prediction {
	return workload.Prediction{Seconds: state[0], Observations: n}
}
