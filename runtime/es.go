package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// es is exponential smoothing: alpha times the newest run time plus 1-alpha times the
// previous prediction. The first prediction is the first run time.
// Sonmez and others (2009), section 3.1.
type es struct {
	Alpha  float64 `opt:"alpha" in:"[0,1]" help:"weight of the newest run time"`
	smooth float64
	n      int
}

func (e es) New() Predictor { return &e }

func (e *es) Observe(j *workload.Job) {
	if e.n++; e.n == 1 {
		e.smooth = j.Run
		return
	}
	e.smooth = e.Alpha*j.Run + (1-e.Alpha)*e.smooth
}

func (e *es) Predict(*workload.Request) (workload.Prediction, bool) { return fromJobs(e.n, e.smooth) }
