package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Unbiased corrects the bias of another predictor by the outcomes of its
// predictions: exp(b0 + b1 ln predicted), where ln actual = b0 + b1 ln
// predicted is the least-squares line of all earlier predictions whose job has
// started. Downey (1997), "Using queue time predictions for processor
// allocation", section 5.4, which fits one line to a whole run; here the line
// is updated after each job. There is no correction before 30 jobs with a
// prediction have started.
type Unbiased struct {
	inner HeadPredictor
	line  stats.Correlation
	asked float64 // ln of the inner prediction that is still to come true
}

var _ HeadPredictor = (*Unbiased)(nil)

// HeadLearner is a HeadPredictor that learns how long jobs have waited at the
// head: AtHead calls Learn when the job that it was last asked about starts.
type HeadLearner interface {
	HeadPredictor
	// Learn is called with the time in seconds that the job of the last
	// Predict waited at the head.
	Learn(actual float64)
}

var _ HeadLearner = (*Unbiased)(nil)

// NewUnbiased returns the corrected predictor.
func NewUnbiased(inner HeadPredictor) *Unbiased { return &Unbiased{inner: inner, asked: math.NaN()} }

const unbiasedFrom = 30

// Name returns the inner predictor's name and "-unbiased".
func (u *Unbiased) Name() string { return u.inner.Name() + "-unbiased" }

// Predict implements HeadPredictor.
func (u *Unbiased) Predict(h *Head) (workload.Prediction, bool) {
	p, ok := u.inner.Predict(h)
	u.asked = math.NaN()
	if !ok {
		return p, false
	}
	u.asked = math.Log(p.Seconds)
	if slope := u.line.Slope(); u.line.N() >= unbiasedFrom && !math.IsNaN(slope) {
		return predicted(max(math.Exp(u.line.Intercept()+slope*u.asked), Shortest), p.Observations)
	}
	return p, true
}

// Learn is as HeadLearner says.
func (u *Unbiased) Learn(actual float64) {
	if !math.IsNaN(u.asked) && actual > 0 {
		u.line.Add(u.asked, math.Log(actual))
	}
	u.asked = math.NaN()
}
