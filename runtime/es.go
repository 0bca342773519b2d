package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// es is exponential smoothing: alpha times the newest run time and the rest
// times the prediction before it; the first run time stands for itself.
// Sonmez and others (2009), section 3.1.
type es struct {
	Alpha float64 `opt:"alpha" in:"[0,1]" help:"weight of the newest run time"`
}

var _ rule = es{}

func (es) width() int { return 1 }

func (e es) observe(state []float64, n int, j *workload.Job) {
	if n == 0 {
		state[0] = j.Run
		return
	}
	state[0] = e.Alpha*j.Run + (1-e.Alpha)*state[0]
}

func (es) predict(state []float64, n int, _ *workload.Request) workload.Prediction {
	return workload.Prediction{Seconds: state[0], Observations: n}
}
