package grid

import (
	"math"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// Dependencies describes the dependencies between jobs in a closed simulation.
type Dependencies struct {
	Of     string `json:"dependencies"` // "log", its own; or "users", as package sessions finds them
	Linked int    `json:"linked_jobs"`  // jobs studied that have a preceding job
}

// FeedbackScore contains the delays of submissions and the throughput under one
// policy with feedback.
type FeedbackScore struct {
	Delayed   int          `json:"delayed_jobs" show:"submitted later"` // submitted later than in the log
	DelayMean stats.Number `json:"delay_mean_s" show:"later by,s"`      // of those, s; null where there are none
	DelayMax  stats.Number `json:"delay_max_s"`
	*score.Throughput
}

// Delays describes the jobs that are submitted later than in the log.
type Delays struct {
	delay   stats.Moments
	longest float64 // s
}

func (d *Delays) add(delay float64) {
	if delay > 0 {
		d.delay.Add(delay)
		d.longest = max(d.longest, delay)
	}
}

func (d *Delays) result(t *score.GridTally) *FeedbackScore {
	s := &FeedbackScore{Delayed: d.delay.N(), DelayMean: stats.Number(d.delay.Mean()), DelayMax: stats.Number(d.longest), Throughput: t.Throughput()}
	if s.Delayed == 0 {
		s.DelayMean, s.DelayMax = stats.Number(math.NaN()), stats.Number(math.NaN())
	}
	return s
}

// close adds what feedback did to the jobs that are studied.
func (r *Result) close(links sessions.Links) {
	d := &Dependencies{Of: "users"}
	if links.Own {
		d.Of = "log"
	}
	for i := range r.Jobs {
		if r.Jobs[i].Preceding != workload.Unknown {
			d.Linked++
		}
	}
	if d.Linked == 0 {
		r.Warnings = append(r.Warnings, workload.Warning{Rule: "no-dependencies", Count: 1,
			Text: "no job waits for another, so that feedback has no effect: the log has neither preceding jobs nor users whose waits and run times are known"})
	}
	r.Feedback = d
	for i := range r.Scores {
		r.Scores[i].Feedback = r.Outcomes[i].Delays.result(r.Outcomes[i].Tally)
	}
}
