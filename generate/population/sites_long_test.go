//go:build long

package population

import (
	"context"
	"math"
	"testing"
	"time"

	fit "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/judge"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A scheduler sees about the same in a workload drawn from the model of a log as in the log
// itself. This test produces the table of docs/findings/twins.md.
func TestSites(t *testing.T) {
	judge.EachSite(t, 10, func(t *testing.T, s judge.Site, seeds int) {
		jobs, header := s.Read(t)
		log := s.Measure(t, jobs)
		clock, _ := header.Clock()
		hours := byHour(jobs, func(at float64) int { return clock.At(at).Hour() })
		begin := time.Now()
		m, _, err := fit.Fit(context.Background(), workload.JobsOf(jobs), &header, s.Name, s.Processors)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("fit in %v", time.Since(begin))
		var table judge.Table
		for seed := range seeds {
			w, err := New(m, Options{Seed: uint64(seed + 1)})
			if err != nil {
				t.Fatal(err)
			}
			made := jobtest.Collect(t, w.Jobs(context.Background()))
			table.Compare(log, s.Measure(t, made), func(score.VerdictRow) float64 { return 2 })
			table.Add("jobs", .98, 1.02, float64(len(made))/float64(len(jobs)))
			table.Add("CV of work by week", .7, 1.4, cvOf(made, 7*day)/cvOf(jobs, 7*day))
			table.Add("CV of work by day", .7, 1.4, cvOf(made, day)/cvOf(jobs, day))
			table.Add("CV of work by hour", .7, 1.4, cvOf(made, 3600)/cvOf(jobs, 3600))
			variation := 0.0
			for h, share := range byHour(made, func(at float64) int { return int(at/hour) % 24 }) {
				variation += math.Abs(share-hours[h]) / 2
			}
			table.Add("hours of the day, total variation", 0, .06, variation)
			table.Add("jobs with a preceding one", .8, 1.25, linked(made)/linked(jobs))
			if theirs := repeated(jobs); theirs > 0 {
				table.Add("estimate of the user's job before", -.1, .1, repeated(made)-theirs)
			}
		}
		table.Report(t, knownMisses[s.Name])
	})
}

// knownMisses lists the rows of each site that are outside their bounds, as stated in
// docs/findings/twins.md.
var knownMisses = map[string][]string{
	"SDSC-Par-96": {
		"wait_q90_s, easy, closed", "bounded_slowdown_mean, easy, closed", "run_time_ln_lag_1",
	},
	"CTC": {"estimate_reached_share"},
	"Gaia": {
		"CV of work by day", "hours of the day, total variation", "dispersion_1_d",
		"estimate_accuracy", "estimate_run_time_spearman", "estimate of the user's job before",
		"wait_q90_s, easy, open", "wait_q90_s, easy user, open", "wait_q90_s, conservative, open",
		"wait_q90_s, conservative user, open", "wait_q90_s, fcfs, open",
		"wait_q90_s, easy, closed", "wait_q90_s, easy user, closed", "wait_q90_s, conservative, closed",
		"wait_q90_s, conservative user, closed", "wait_q90_s, fcfs, closed",
	},
	"RICC": {
		"hours of the day, total variation", "dispersion_1_d", "powers of two",
		"wait_mean_s, easy user, open", "wait_q90_s, easy user, open", "bounded_slowdown_mean, easy user, open", "wait_mean_s, easy user, closed",
		"wait_q90_s, easy user, closed", "bounded_slowdown_mean, easy user, closed",
	},
}

// byHour returns the shares of the jobs by hour of the day.
func byHour(jobs []workload.Job, hourOf func(at float64) int) (shares [24]float64) {
	for i := range jobs {
		shares[hourOf(jobs[i].Submit)] += 1 / float64(len(jobs))
	}
	return shares
}

// linked returns the share of the jobs that wait for another job.
func linked(jobs []workload.Job) float64 {
	n := 0.0
	for i := range jobs {
		if jobs[i].Preceding != workload.Unknown {
			n++
		}
	}
	return n / float64(len(jobs))
}

// repeated returns the share of the estimates that equal that of the user's previous job.
func repeated(jobs []workload.Job) float64 {
	last := map[int64]float64{}
	n, pairs := 0.0, 0.0
	for i := range jobs {
		j := &jobs[i]
		if !(j.Time > 0) {
			continue
		}
		if t, ok := last[j.User]; ok {
			pairs++
			if t == j.Time {
				n++
			}
		}
		last[j.User] = j.Time
	}
	return n / max(1, pairs)
}

// cvOf returns the coefficient of variation of the work in whole intervals of the given width in
// seconds.
func cvOf(jobs []workload.Job, width float64) float64 {
	first := jobs[0].Submit
	work := make([]float64, int((jobs[len(jobs)-1].Submit-first)/width))
	for i := range jobs {
		if k := int((jobs[i].Submit - first) / width); k < len(work) && jobs[i].Run > 0 && jobs[i].Size > 0 {
			work[k] += jobs[i].Run * float64(jobs[i].Size)
		}
	}
	var m stats.Moments
	for _, x := range work {
		m.Add(x)
	}
	return m.CV()
}
