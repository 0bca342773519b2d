package predict

import "github.com/loadstone-hpc/loadstone/workload"

// DowneyN32 is the combined predictor of the queue-times paper: A if fewer than
// 32 processors are needed and A has a prediction, else B. Downey (1997),
// "Predicting queue times on space-sharing parallel computers", section 5.3; 32
// was chosen there by comparing the correlations over ranges of n' on one log.
type DowneyN32 struct {
	Lifetimes Lifetimes
}

var _ HeadPredictor = DowneyN32{}

// Name returns "downey-n32".
func (DowneyN32) Name() string { return "downey-n32" }

// Predict implements HeadPredictor.
func (p DowneyN32) Predict(h *Head) (workload.Prediction, bool) {
	if h.Needed < 32 && h.Benefactors() > 0 {
		return DowneyA(p).Predict(h)
	}
	return DowneyB(p).Predict(h)
}

// DowneyBenefactors is the combined predictor of the allocation paper: A if
// there are two benefactors or more (see DowneyA), else B. Downey (1997),
// "Using queue time predictions for processor allocation", section 5.
type DowneyBenefactors struct {
	Lifetimes Lifetimes
}

var _ HeadPredictor = DowneyBenefactors{}

// Name returns "downey-benefactors".
func (DowneyBenefactors) Name() string { return "downey-benefactors" }

// Predict implements HeadPredictor.
func (p DowneyBenefactors) Predict(h *Head) (workload.Prediction, bool) {
	if h.Benefactors() >= 2 {
		return DowneyA(p).Predict(h)
	}
	return DowneyB(p).Predict(h)
}
