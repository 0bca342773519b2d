package sessions

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Dependencies yields the jobs with Preceding and Think set (fields 17 and 18 of SWF) to the
// dependencies found; earlier values are replaced. Jobs come in order of submission; a job out of
// order depends only on jobs before it in the stream.
//
// Warnings in w, which may be nil, count jobs without a user ("no-user") or a submission time
// ("no-submit-time"), jobs whose end is unknown, which no job can depend on ("no-end"), jobs
// without a number, which no job can name ("no-job-id"), and values that were replaced
// ("dependency-replaced").
func Dependencies(jobs workload.JobSeq, w *workload.Warnings) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		t := NewTracker() // each reading has its own
		workload.Each(jobs, func(j *workload.Job) { t.link(j, w) })(yield)
	}
}

// link adds a job to the tracker and sets its dependency.
func (t *Tracker) link(j *workload.Job, w *workload.Warnings) {
	p := t.Add(j)
	warn(j, &p, w)
	j.Preceding, j.Think = p.PrecedingID, p.Think
	if j.Preceding == workload.Unknown {
		j.Think = math.NaN()
	}
}

// warn counts the warnings about a job; see Dependencies.
func warn(j *workload.Job, p *Place, w *workload.Warnings) {
	switch {
	case j.User == workload.Unknown:
		w.Add("no-user", "jobs without a dependency: their user is unknown", 0, j.Label())
	case p.Session == workload.Unknown:
		w.Add("no-submit-time", "jobs without a dependency: their submission time is unknown", 0, j.Label())
	case math.IsNaN(End(j)):
		w.Add("no-end", "jobs that no job can wait for: their wait or run time is unknown ('simulate' computes waits)", 0, j.Label())
	case j.ID == workload.Unknown:
		w.Add("no-job-id", "jobs that no job can wait for: they have no number", 0, j.Label())
	}
	if j.Preceding != workload.Unknown && j.Preceding != p.PrecedingID || !math.IsNaN(j.Think) && j.Think != p.Think {
		w.Add("dependency-replaced", "jobs whose own preceding job or think time was replaced", 0, j.Label())
	}
}
