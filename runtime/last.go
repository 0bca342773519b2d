package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// last predicts the run time of the job of the class that ended last.
// Sonmez and others (2009), section 3.1.
type last struct {
	run float64
	n   int // 1 once a job has ended
}

func (l last) New() Predictor { return &l }

func (l *last) Observe(j *workload.Job) { l.run, l.n = j.Run, 1 }

func (l *last) Predict(*workload.Request) (workload.Prediction, bool) { return fromJobs(l.n, l.run) }
