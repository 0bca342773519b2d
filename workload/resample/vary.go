package resample

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	blockWeeks = 4
	draws      = 200
	variesBy   = 1.4 // the factor beyond which it is reported
)

// weekly is what the jobs of a week wait.
type weekly struct{ wait, jobs float64 }

// warnIfWaitsVary reports that the log's waits differ much between its months: a twin, which is
// made of other months, cannot be expected to be closer to the log. The waits are the log's or,
// where it has none, those of its work in a queue.
func (t *Twin) warnIfWaitsVary() {
	period, n := t.period()
	if period != week || n < 2*blockWeeks {
		return
	}
	weeks := t.weeks
	if !t.hasWaits {
		weeks = t.queueWeeks()
	}
	low, high := variation(weeks)
	if low < 1/variesBy || high > variesBy {
		t.odd.Count(workload.Warning{Rule: "waits-vary", Count: 1, Text: fmt.Sprintf(
			"mean waits of this log vary from %.2f to %.2f times the mean between draws of its blocks of four weeks (5 and 95 %%), and so do those of a twin", low, high)})
	}
}

// queueWeeks are the weeks of the log's course.
func (t *Twin) queueWeeks() []weekly {
	log, r := t.course(1, t.span), t.ring(0)
	for u := range t.users {
		log.add(t.users[u].lots(&r), 0, 1)
	}
	weeks := make([]weekly, len(log.loads)/parts+1)
	log.waits(func(i int, wait float64) {
		weeks[i/parts].wait += wait * log.loads[i].jobs
		weeks[i/parts].jobs += log.loads[i].jobs
	})
	return weeks
}

// variation returns the 5 and 95 % quantiles of the mean wait, and 60 s, over that of all weeks,
// where weeks are drawn in circular blocks.
func variation(weeks []weekly) (low, high float64) {
	rng := rand.New(rand.NewPCG(1, uint64(len(weeks))))
	mean := func(week func(i int) int) float64 {
		var sum weekly
		for i := range weeks {
			w := weeks[week(i)]
			sum.wait += w.wait
			sum.jobs += w.jobs
		}
		return 60 + sum.wait/max(1, sum.jobs)
	}
	all := mean(func(i int) int { return i })
	ratios := make([]float64, draws)
	for d := range ratios {
		begin := 0
		ratios[d] = mean(func(i int) int {
			if i%blockWeeks == 0 {
				begin = rng.IntN(len(weeks))
			}
			return (begin + i%blockWeeks) % len(weeks)
		}) / all
	}
	slices.Sort(ratios)
	return stat.Quantile(.05, stat.LinInterp, ratios, nil), stat.Quantile(.95, stat.LinInterp, ratios, nil)
}
