package inspect

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// UsagePeriod summarises a month, or another calendar period, of a log.
type UsagePeriod struct {
	Label    string       `json:"label"`    // such as 1996-12
	From     stats.Number `json:"from_s"`   // from the log's second 0
	To       stats.Number `json:"to_s"`     // end, which is the start of the next period
	Covered  stats.Share  `json:"covered"`  // share of it between the first and the last submission
	Complete bool         `json:"complete"` // Covered is at least 90 %
	Jobs     int64        `json:"jobs"`     // submitted
	// Rates are over the part of the period that Covered counts; NaN stands for unknown.
	JobsPerDay  stats.Number `json:"jobs_per_day"`
	Users       stats.Number `json:"users"` // distinct users
	Load        stats.Number `json:"offered_load"`
	Utilisation stats.Number `json:"utilisation"`
	WaitMean    stats.Number `json:"wait_mean_s"`
	WaitMedian  stats.Number `json:"wait_median_s"`
	WaitQ90     stats.Number `json:"wait_q90_s"`
	Failed      stats.Share  `json:"failed_pct"` // of the jobs known to have failed, completed or been cancelled
}

const (
	// completePeriod is the share of a period that a log covers at the least where the
	// period is to be compared.
	completePeriod = 0.9
	mostPeriods    = 1000
	// periodExact bounds the waits of a period that are kept for exact quantiles.
	periodExact = 4096
)

// periodUnits are ways to divide a log's time, in the order of preference: by the first of
// which enough periods are complete. A comparison of fewer months says little that one of
// weeks does not say better.
var periodUnits = []struct {
	name  string
	days  int
	least int // complete periods
}{{"month", 30, 8}, {"week", 7, 4}, {"day", 1, 4}}

// periodsOf divides a log into calendar months, or runs of 30 days where it has no dates; into
// weeks, which begin on Mondays; or into days. A log that is too short or too long has none.
func periodsOf(d *Description) (unit string, e edges, labels []string) {
	first, last := d.submissions()
	for _, u := range periodUnits {
		length := 86400 * float64(u.days)
		if !(last > first) || (last-first)/length > mostPeriods || d.Clock.Month(first) == workload.Unknown || d.Clock.Month(last) == workload.Unknown {
			continue
		}
		e, labels = nil, nil
		if u.name == "month" {
			for k := d.Clock.Month(first); k <= d.Clock.Month(last); k++ {
				p := d.Clock.MonthPeriod(k)
				e, labels = append(e, p.From), append(labels, p.Label)
			}
			e = append(e, d.Clock.MonthPeriod(d.Clock.Month(last)).To)
		} else {
			shift, dated := 0.0, d.Clock.Dates(first, last)
			if dated && u.days == 7 {
				shift = -86400 * float64((int(d.Clock.Start.Weekday())+6)%7)
			}
			e = wallEdges(d.Clock, length, shift, first, last)
			for k := range len(e) - 1 {
				label := fmt.Sprintf("%s from day %d", u.name, int64(math.Round(e[k]/86400))+1)
				if dated {
					label = d.Clock.At(e[k]).Format(time.DateOnly)
				}
				labels = append(labels, label)
			}
		}
		complete := 0
		for k := range labels {
			if e.covered(k, first, last) >= completePeriod*(e[k+1]-e[k]) {
				complete++
			}
		}
		if complete >= u.least {
			return u.name, e, labels
		}
	}
	return "", nil, nil
}

func (u *usage) foundPeriods() []UsagePeriod {
	out := []UsagePeriod{}
	e := u.periods.edges
	for k := range u.periods.all {
		x := &u.periods.all[k]
		seconds := e.covered(k, u.first, u.last)
		share := seconds / (e[k+1] - e[k])
		waits := x.waits.summary()
		q := UsagePeriod{
			Label: u.labels[k], From: stats.Number(e[k]), To: stats.Number(e[k+1]),
			Covered: stats.Share(share), Complete: share >= completePeriod, Jobs: x.jobs,
			JobsPerDay: stats.Number(float64(x.jobs) / (seconds / 86400)), Users: stats.Number(math.NaN()),
			WaitMean: waits.Mean, WaitMedian: waits.Median, WaitQ90: waits.Q90, Failed: x.failedShare(),
		}
		if u.d.Users.Known() {
			q.Users = stats.Number(x.users.Count())
		}
		q.Load, q.Utilisation = u.rates(x, seconds)
		out = append(out, q)
	}
	return out
}

// UsageInterval is an interval of hours, days or weeks, aligned to midnight on the site's
// clock.
type UsageInterval struct {
	Start   stats.Number `json:"start_s"`          // from the log's second 0
	Covered stats.Number `json:"covered_s"`        // the part of it between the first and the last submission
	Jobs    int64        `json:"jobs" show:"jobs"` // submitted
	// Load is the work submitted and Utilisation the processor time used, both as a
	// fraction of the machine's capacity in Covered seconds. NaN stands for unknown.
	Load        stats.Number `json:"offered_load" show:"offered load,share"`
	Utilisation stats.Number `json:"utilisation" show:"utilisation,share"`
	JobsWaiting stats.Number `json:"jobs_waiting" show:"jobs waiting"` // in the queue, averaged over Covered seconds
}

// mostUsageIntervals is up to how many stretches are measured: a chart shows no more.
const mostUsageIntervals = 200

// usageWidths are the stretches from which the least that makes no more is taken, s.
var usageWidths = []float64{3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400, 7 * 86400, 28 * 86400, 84 * 86400, 364 * 86400}

// usageWidth is how long the intervals of a log of so many seconds are.
func usageWidth(seconds float64) float64 {
	for _, w := range usageWidths {
		if seconds/w <= mostUsageIntervals-2 {
			return w
		}
	}
	width := usageWidths[len(usageWidths)-1]
	for seconds/width > mostUsageIntervals-2 {
		width *= 2
	}
	return width
}

// wallEdges are the ends of equal stretches by the clock of the site that cover two
// times; one of them begins shift seconds after the midnight before second 0.
func wallEdges(clock workload.Clock, width, shift, first, last float64) edges {
	w := newWall(clock, width)
	k := math.Floor((w.shows(first) - shift) / width)
	var e edges
	for {
		e = append(e, w.second(k*width+shift))
		if n := len(e); n > 1 && e[n-1] > last {
			return e
		}
		k++
	}
}

func (u *usage) foundIntervals() []UsageInterval {
	out := []UsageInterval{}
	nan := stats.Number(math.NaN())
	for k := range u.intervals.all {
		x, start := &u.intervals.all[k], u.intervals.edges[k]
		covered := u.intervals.covered(k, u.first, u.last)
		i := UsageInterval{Start: stats.Number(start), Covered: stats.Number(covered), Jobs: x.jobs, Load: nan, Utilisation: nan, JobsWaiting: nan}
		if covered > 0 {
			i.Load, i.Utilisation = u.rates(x, covered)
		}
		if covered > 0 && u.whole.waits.n > 0 {
			i.JobsWaiting = stats.Number(x.queue / covered)
		}
		out = append(out, i)
	}
	return out
}

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
const leastEarlier = 3

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

// edges divide time, s: stretch k is from edges[k] to edges[k+1].
type edges []float64

// at is the stretch that a time is in, -1 for none. The last one has its end.
func (e edges) at(t float64) int {
	n := len(e)
	if n < 2 || !(t >= e[0] && t <= e[n-1]) {
		return -1
	}
	return min(sort.Search(n, func(k int) bool { return e[k] > t })-1, n-2)
}

// overlaps calls use for each stretch that from to to overlaps, with the seconds.
func (e edges) overlaps(from, to float64, use func(k int, seconds float64)) {
	if len(e) < 2 || !(from < to) || to <= e[0] || from >= e[len(e)-1] {
		return
	}
	for k := max(0, e.at(from)); k < len(e)-1 && e[k] < to; k++ {
		if seconds := min(to, e[k+1]) - max(from, e[k]); seconds > 0 {
			use(k, seconds)
		}
	}
}

// covered is how many seconds of a stretch lie between two times.
func (e edges) covered(k int, first, last float64) float64 {
	return max(0, min(e[k+1], last)-max(e[k], first))
}
