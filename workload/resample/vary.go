package resample

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/loadstone-hpc/loadstone/workload"
)

// LeastWeeks is the smallest number of weeks for which WaitsVary is meaningful.
const LeastWeeks = 2 * blockWeeks

const (
	blockWeeks = 4   // weeks that are drawn together
	draws      = 200 // number of samples of a log's weeks
	variesBy   = 1.4 // factor beyond which the variation is reported
	shortWait  = 60  // s, added to both means of a ratio
)

// Week holds the number of jobs submitted in a week with a known wait, and the sum of their waits,
// s.
type Week struct{ Wait, Jobs float64 }

// warnIfWaitsVary warns if the mean wait of the log differs much between its months. A twin, which
// consists of other months, cannot be expected to be closer to the log.
func (t *Twin) warnIfWaitsVary() {
	period, n := t.period()
	if period != week || n < LeastWeeks || !t.hasWaits {
		return
	}
	low, high := WaitsVary(t.weeks)
	if low < 1/variesBy || high > variesBy {
		t.odd.Count(workload.Warning{Rule: "waits-vary", Count: 1, Text: fmt.Sprintf(
			"drawing this log's weeks anew, in blocks of four, gives mean waits of %.2f to %.2f times the log's (5 %% and 95 %% quantiles); expect the same variation of a twin", low, high)})
	}
}

// WaitsVary returns the variation of a log's mean wait between its months: the 5 % and 95 %
// quantiles of the mean wait, plus a minute, of weeks drawn in circular blocks of four, divided by
// that of all weeks.
func WaitsVary(weeks []Week) (low, high float64) {
	rng := rand.New(rand.NewPCG(1, uint64(len(weeks))))
	mean := func(week func(i int) int) float64 {
		var sum Week
		for i := range weeks {
			w := weeks[week(i)]
			sum.Wait += w.Wait
			sum.Jobs += w.Jobs
		}
		return shortWait + sum.Wait/max(1, sum.Jobs)
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
