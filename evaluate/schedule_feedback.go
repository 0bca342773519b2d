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
	longest float64                            // s
	told    func(*workload.Job, float64) error // ScheduleOptions.Submitted
	submit  map[int64]float64                  // in the log, by row, of those that are not told yet; where told
}

var _ sched.Delayer = (*scheduleWatch)(nil)

// Delayed implements sched.Delayer.
func (w *scheduleWatch) Delayed(job *workload.Request, submit float64) {
	x := &w.late
	x.delay.Add(job.Submit - submit)
	x.longest = max(x.longest, job.Submit-submit)
	if x.told == nil {
		return
	}
	if x.submit == nil {
		x.submit = map[int64]float64{}
	}
	x.submit[job.Row] = submit
}

// telling passes jobs on and tells of them.
func (x *delays) telling(jobs workload.JobSeq) workload.JobSeq {
	if x.told == nil {
		return jobs
	}
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				kept := j // told may keep it: j itself stays off the heap
				err = x.tell(&kept)
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
	}
}

// tell tells of a job and its submission in the log; there is told.
func (x *delays) tell(j *workload.Job) error {
	submit, late := x.submit[j.Row]
	if late {
		delete(x.submit, j.Row)
	} else {
		submit = j.Submit
	}
	return x.told(j, submit)
}
