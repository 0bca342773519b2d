package evaluate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// ScheduleFeedback tells how a closed simulation changed the submissions.
type ScheduleFeedback struct {
	Dependencies string       `json:"dependencies"` // "log", its own; or "users", as package sessions finds them
	Linked       int64        `json:"linked_jobs"`  // jobs that have a preceding job
	Delayed      int          `json:"delayed_jobs"` // submitted later than in the log
	DelayMean    stats.Number `json:"delay_mean_s"` // of those, s; null where there are none
	DelayMax     stats.Number `json:"delay_max_s"`
}

// close adds what feedback did.
func (r *ScheduleResult) close(w *scheduleWatch, links sessions.Links) {
	f := &ScheduleFeedback{Dependencies: "users", Linked: links.Jobs, Delayed: w.late.delay.N(),
		DelayMean: stats.Number(w.late.delay.Mean()), DelayMax: stats.Number(w.late.longest)}
	if links.Own {
		f.Dependencies = "log"
	}
	if f.Delayed == 0 {
		f.DelayMean, f.DelayMax = stats.Number(math.NaN()), stats.Number(math.NaN())
	}
	if links.Jobs == 0 {
		r.Warnings = append(r.Warnings, workload.Warning{Rule: "no-dependencies", Count: 1,
			Text: "no job waits for another, so that feedback has no effect: the log has neither preceding jobs nor users whose waits and run times are known"})
	}
	r.Feedback = f
	r.Whole.Throughput = score.ThroughputOf(&r.Whole)
	for i := range r.Sites {
		r.Sites[i].Throughput = score.ThroughputOf(&r.Sites[i].Schedule)
	}
}

// delays are the jobs that are submitted later than in the log.
type delays struct {
	delay   stats.Moments
	longest float64 // s
}

var _ sched.Delayer = (*scheduleWatch)(nil)

// Delayed implements sched.Delayer.
func (w *scheduleWatch) Delayed(job *workload.Request, submit float64) {
	w.late.delay.Add(job.Submit - submit)
	w.late.longest = max(w.late.longest, job.Submit-submit)
}
