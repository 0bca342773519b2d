package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// tsafrir predicts the mean run time of the two jobs of the class that ended last, but
// at most the user's estimate; until two have ended, it predicts the estimate. Its
// authors use users as classes. Without an estimate it equals last2.
//
// Tsafrir, Etsion and Feitelson (2007), "Backfilling using system-generated
// predictions rather than user runtime estimates", section 3.
type tsafrir struct{ last2 }

func (t tsafrir) New() Predictor { return &t }

func (t *tsafrir) Predict(r *workload.Request) (workload.Prediction, bool) {
	p, ok := t.last2.Predict(r)
	most, known := requestedTime(r)
	switch {
	case known && t.n < 2:
		return workload.Prediction{Seconds: most}, true
	case known:
		p.Seconds = min(p.Seconds, most)
	}
	return p, ok
}
