package predict

import "github.com/loadstone-hpc/loadstone/workload"

// DowneyB is Downey's predictor B: the time at which the expected number of
// processors freed is what the head needs,
//
//	sum over running jobs of n_i C_i(t) = n',
//
// where job i has n_i processors and ends within t seconds with probability
// C_i(t). Downey (1997), "Predicting queue times on space-sharing parallel
// computers", section 4.2.
//
// A head that needs all that the running jobs hold waits, in expectation, for
// the last possible end: the largest TMax - age. If a running job is older than
// TMax there is no last end and no prediction.
type DowneyB struct {
	Lifetimes Lifetimes
}

var _ HeadPredictor = DowneyB{}

// Name returns "downey-b".
func (DowneyB) Name() string { return "downey-b" }

// Predict implements HeadPredictor. It is false if the expected number never
// reaches what is needed, or if the running jobs hold fewer processors, which
// is impossible on a real machine.
func (p DowneyB) Predict(h *Head) (workload.Prediction, bool) {
	if h.held() < h.Needed {
		return none()
	}
	laws := h.laws(p.Lifetimes)
	t := earliest(func(t float64) float64 {
		freed := 0.0
		for i := range h.Running {
			r := &h.Running[i]
			freed += float64(r.Size) * (1 - laws[i].Survival(r.Request, r.Age, t))
		}
		return freed
	}, float64(h.Needed))
	return predicted(t, len(h.Running))
}
