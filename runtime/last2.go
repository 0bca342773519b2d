package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// last2 predicts the mean run time of the two jobs of the class that ended
// last, or the run time of the only one.
// Sonmez and others (2009), section 3.1; Tsafrir, Etsion and Feitelson (2007).
type last2 struct {
	newest, before float64
	n              int // number of jobs that have ended, at most 2
}

func (l last2) New() Predictor { return &l }

func (l *last2) Observe(j *workload.Job) {
	l.newest, l.before = j.Run, l.newest
	l.n = min(l.n+1, 2)
}

func (l *last2) Predict(*workload.Request) (workload.Prediction, bool) {
	if l.n < 2 {
		return fromJobs(l.n, l.newest)
	}
	return fromJobs(2, (l.newest+l.before)/2)
}
