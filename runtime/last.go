package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// last predicts the run time of the job of the class that ended last.
// Sonmez and others (2009), section 3.1.
type last struct {
	run float64
	n   int // 1 once a job has ended
}

func (l last) fresh() history { return &l }

func (l *last) observe(j *workload.Job) { l.run, l.n = j.Run, 1 }

func (l *last) predict(*workload.Request) workload.Prediction { return fromJobs(l.n, l.run) }
