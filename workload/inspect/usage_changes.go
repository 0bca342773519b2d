package inspect

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// measures are what is compared between periods, in the order in which it is shown.
func (p *UsagePeriod) measures() []float64 {
	return []float64{float64(p.JobsPerDay), float64(p.Users), float64(p.Load), float64(p.Utilisation),
		float64(p.WaitMean), float64(p.WaitMedian), float64(p.WaitQ90), 100 * float64(p.Failed)}
}

var measureNames = []string{"jobs_per_day", "users", "offered_load", "utilisation", "wait_mean_s", "wait_median_s", "wait_q90_s", "failed_pct"}

// leastEarlier is how many periods a change is against at the least.
const leastEarlier = 3

// changesOf leaves out measures that are unknown in the last period, or in all but two
// of the earlier ones.
func changesOf(periods []UsagePeriod) []Change {
	out := []Change{}
	complete := slices.DeleteFunc(slices.Clone(periods), func(p UsagePeriod) bool { return !p.Complete })
	if len(complete) <= leastEarlier {
		return out
	}
	last := complete[len(complete)-1]
	for m, now := range last.measures() {
		var earlier []float64
		for _, p := range complete[:len(complete)-1] {
			if x := p.measures()[m]; !math.IsNaN(x) {
				earlier = append(earlier, x)
			}
		}
		if len(earlier) < leastEarlier || math.IsNaN(now) {
			continue
		}
		slices.Sort(earlier)
		c := Change{
			Measure: measureNames[m], Period: last.Label, Last: stats.Number(now), Earlier: len(earlier), Median: stats.Number(stats.Quantile(earlier, 0.5)),
			Low: stats.Number(earlier[0]), High: stats.Number(earlier[len(earlier)-1]),
		}
		switch {
		case c.Last > c.High:
			c.Beyond = "above"
		case c.Last < c.Low:
			c.Beyond = "below"
		}
		out = append(out, c)
	}
	return out
}
