package inspect

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Change compares a measure in the last complete period with the complete periods before
// it.
type Change struct {
	Measure string       `json:"measure"` // JSON name of the field of UsagePeriod
	Period  string       `json:"period"`  // label of the last complete period
	Last    stats.Number `json:"last"`
	Median  stats.Number `json:"earlier_median"`
	Low     stats.Number `json:"earlier_low"`
	High    stats.Number `json:"earlier_high"`
	Earlier int          `json:"earlier"` // number of earlier periods with a value
	// Beyond is "above" if Last exceeds all earlier values, "below" if it is less than all
	// of them, else "". If the n+1 values are exchangeable, it is not "" with a probability
	// of at most 2/(n+1).
	Beyond string `json:"beyond"`
}

// leastEarlier is how many periods a change is against at the least.
const leastEarlier = leastPeriods - 1

// periodMeasures are what is compared, in the order in which it is shown.
var periodMeasures = []struct {
	name string
	of   func(UsagePeriod) float64
}{
	{"jobs_per_day", func(p UsagePeriod) float64 { return float64(p.JobsPerDay) }},
	{"users", func(p UsagePeriod) float64 { return float64(p.Users) }},
	{"offered_load", func(p UsagePeriod) float64 { return float64(p.Load) }},
	{"utilisation", func(p UsagePeriod) float64 { return float64(p.Utilisation) }},
	{"wait_mean_s", func(p UsagePeriod) float64 { return float64(p.WaitMean) }},
	{"wait_median_s", func(p UsagePeriod) float64 { return float64(p.WaitMedian) }},
	{"wait_q90_s", func(p UsagePeriod) float64 { return float64(p.WaitQ90) }},
	{"failed_pct", func(p UsagePeriod) float64 { return 100 * float64(p.Failed) }},
}

// changesOf leaves out measures that are unknown in the last period, or in all but two
// of the earlier ones.
func changesOf(periods []UsagePeriod) []Change {
	out := []Change{}
	complete := slices.DeleteFunc(slices.Clone(periods), func(p UsagePeriod) bool { return !p.Complete })
	if len(complete) <= leastEarlier {
		return out
	}
	last := complete[len(complete)-1]
	for _, m := range periodMeasures {
		var earlier []float64
		for _, p := range complete[:len(complete)-1] {
			if x := m.of(p); !math.IsNaN(x) {
				earlier = append(earlier, x)
			}
		}
		now := m.of(last)
		if len(earlier) < leastEarlier || math.IsNaN(now) {
			continue
		}
		slices.Sort(earlier)
		c := Change{
			Measure: m.name, Period: last.Label, Last: stats.Number(now), Earlier: len(earlier), Median: stats.Number(stats.Quantile(earlier, 0.5)),
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
