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
	// leastPeriods are complete at the least, mostPeriods are there at the most.
	leastPeriods, mostPeriods = 4, 60
	// leastMonths are complete at the least where months are taken: a trend over fewer says
	// little that one over weeks does not say better.
	leastMonths = 8
	// periodExact bounds the waits of a period that are kept for exact quantiles.
	periodExact = 4096
)

// periodsOf divides a log by the first unit of which it has enough complete periods, else
// by the first of which it has four: months where eight are complete and no more than 60 there, else
// weeks or days of a shorter log, and quarters or years of a
// longer one. A log without dates has periods of whole weeks in place of months.
func periodsOf(d *Description) (unit string, e edges, labels []string) {
	first, last := d.submissions()
	if !(last > first) {
		return "", nil, nil
	}
	for _, least := range []int{math.MaxInt, leastPeriods} {
		for _, u := range periodUnits(d.Clock, first, last) {
			if e, labels = u.divided(first, last, min(u.least, least)); labels != nil {
				return u.name, e, labels
			}
		}
	}
	return "", nil, nil
}

// periodUnit is a way to divide a log's time.
type periodUnit struct {
	name   string
	length float64 // s, about
	least  int     // complete periods
	divide func() (edges, []string)
}

// divided are the periods of a log; none where they are too many, or too few are complete.
func (u periodUnit) divided(first, last float64, least int) (edges, []string) {
	if (last-first)/u.length > mostPeriods {
		return nil, nil
	}
	e, labels := u.divide()
	complete := 0
	for k := range labels {
		if e.covered(k, first, last) >= completePeriod*(e[k+1]-e[k]) {
			complete++
		}
	}
	if complete < least {
		return nil, nil
	}
	return e, labels
}

// periodUnits are in the order of preference.
func periodUnits(clock workload.Clock, first, last float64) []periodUnit {
	dated := clock.Dates(first, last)
	months := func(name string, n, least int) periodUnit {
		return periodUnit{name, float64(n) * secondsInMonth, least, func() (edges, []string) { return monthEdges(clock, n, first, last) }}
	}
	days := func(name string, n float64, least int) periodUnit {
		return periodUnit{name, n * 86400, least, func() (edges, []string) {
			shift := 0.0
			if dated && n == 7 { // weeks begin on Mondays
				shift = -86400 * float64((int(clock.Start.Weekday())+6)%7)
			}
			e := wallEdges(clock, n*86400, shift, first, last)
			labels := make([]string, len(e)-1)
			for k := range labels {
				labels[k] = fmt.Sprintf("%s from day %d", name, int64(math.Round(e[k]/86400))+1)
				if dated {
					labels[k] = clock.At(e[k]).Format("2006-01-02")
				}
			}
			return e, labels
		}}
	}
	week, day := days("week", 7, leastPeriods), days("day", 1, leastPeriods)
	if dated {
		return []periodUnit{months("month", 1, leastMonths), week, day, months("quarter", 3, leastPeriods), months("year", 12, leastPeriods)}
	}
	return []periodUnit{days("four weeks", 28, leastMonths), week, day, days("12 weeks", 84, leastPeriods), days("52 weeks", 364, leastPeriods)}
}

// monthEdges are those of runs of n calendar months.
func monthEdges(clock workload.Clock, n int, first, last float64) (e edges, labels []string) {
	division, err := workload.Months(clock, n)
	if err != nil {
		return nil, nil
	}
	from, ok := division.Number(first)
	to, ok2 := division.Number(last)
	if !ok || !ok2 {
		return nil, nil
	}
	for k := from; k <= to; k++ {
		p := division.Period(k)
		e, labels = append(e, p.From), append(labels, p.Label)
	}
	return append(e, division.Period(to).To), labels
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
	Time    string       `json:"start,omitempty"`  // its date, as in RFC 3339, where it has one
	Covered stats.Number `json:"covered_s"`        // the part of it between the first and the last submission
	Jobs    int64        `json:"jobs" show:"jobs"` // submitted
	// Load is the work submitted and Utilisation the processor time used, both as a
	// fraction of the machine's capacity in Covered seconds. NaN stands for unknown.
	Load        stats.Number `json:"offered_load" show:"offered load,share"`
	Utilisation stats.Number `json:"utilisation" show:"utilisation,share"`
	// JobsWaiting and ProcessorsWaiting are the number of jobs in the queue and the
	// processors that they request, averaged over Covered seconds.
	JobsWaiting       stats.Number `json:"jobs_waiting" show:"jobs waiting"`
	ProcessorsWaiting stats.Number `json:"processors_waiting" show:"processors waiting"`
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
		i := UsageInterval{Start: stats.Number(start), Covered: stats.Number(covered), Jobs: x.jobs, Load: nan, Utilisation: nan, JobsWaiting: nan, ProcessorsWaiting: nan}
		if u.d.Clock.Dates(start) {
			i.Time = u.d.Clock.At(start).Format(time.RFC3339)
		}
		if covered > 0 {
			i.Load, i.Utilisation = u.rates(x, covered)
		}
		if covered > 0 && u.waits {
			i.JobsWaiting, i.ProcessorsWaiting = stats.Number(x.queue/covered), stats.Number(x.requested/covered)
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
