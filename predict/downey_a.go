package predict

import "github.com/loadstone-hpc/loadstone/workload"

// DowneyA is Downey's predictor A with the approximation that the paper scores:
// the median of the time until the first benefactor ends,
//
//	prod over benefactors of (1 - C_i(t)) = 0.5,
//
// where C_i(t) is the probability that running job i ends within t seconds. A
// benefactor is a running job that holds at least the n' processors that the
// head lacks. Jobs that free enough only together are not considered, and
// without a benefactor there is no prediction. Downey (1997), "Predicting queue
// times on space-sharing parallel computers", section 4.1. (Equation 5 has its
// two products swapped; "greater than n'" in section 5.1 means at least n'.)
type DowneyA struct {
	Lifetimes Lifetimes
}

var _ HeadPredictor = DowneyA{}

// Name returns "downey-a".
func (DowneyA) Name() string { return "downey-a" }

// Predict implements HeadPredictor; it is false without a benefactor.
func (p DowneyA) Predict(h *Head) (workload.Prediction, bool) {
	n := h.Benefactors()
	if n == 0 {
		return none()
	}
	laws := h.laws(p.Lifetimes)
	t := earliest(func(t float64) float64 {
		allRun := 1.0
		for i := range h.Running {
			if r := &h.Running[i]; r.Size >= h.Needed {
				allRun *= laws[i].Survival(r.Request, r.Age, t)
			}
		}
		return 1 - allRun
	}, 0.5)
	return predicted(t, n)
}
