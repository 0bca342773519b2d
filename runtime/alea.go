package runtime

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// alea predicts the request times the largest ratio of run time to request among the
// last five jobs of the class that had a request and have ended; before there are any, it
// predicts the request. Its authors use users as classes. Ratios above 1 are kept, so
// that a prediction may exceed the request. Without a request there is no
// prediction.
//
// It is the rule of the Alea simulator: Klusáček and Chlumský (2018),
// "Evaluating the impact of soft walltimes on job scheduling performance".
type alea struct{ ratios ring[float64] }

// aleaRatios is the number of ratios that alea keeps for a class.
const aleaRatios = 5

func (a alea) New() Predictor { return &a }

func (a *alea) Observe(j *workload.Job) {
	if most, known := requestedTime(&j.Request); known {
		a.ratios.put(j.Run/most, aleaRatios)
	}
}

func (a *alea) Predict(r *workload.Request) (workload.Prediction, bool) {
	most, known := requestedTime(r)
	n := len(a.ratios.all)
	switch {
	case !known:
		return nothing()
	case n == 0:
		return workload.Prediction{Seconds: most}, true
	}
	return fromJobs(n, most*slices.Max(a.ratios.all))
}
