package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// rm is the running mean: the mean of all run times of the class. It keeps the sum,
// which is exact for whole seconds.
// Sonmez and others (2009), section 3.1.
type rm struct {
	sum float64
	n   int
}

func (r rm) New() Predictor { return &r }

func (r *rm) Observe(j *workload.Job) {
	r.sum += j.Run
	r.n++
}

func (r *rm) Predict(*workload.Request) (workload.Prediction, bool) {
	return fromJobs(r.n, r.sum/float64(r.n))
}
