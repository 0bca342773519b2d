package inspect

import (
	"fmt"
	"math"

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

type usagePeriod struct {
	jobs         int64
	work, busy   float64 // processor s
	users        stats.Cardinality
	waits        waitSum
	failed, done int64 // of those that have an outcome
}

func (p *usagePeriod) ended(status int64) {
	switch status {
	case workload.StatusFailed, workload.StatusLastFailed:
		p.failed++
		p.done++
	case workload.StatusCompleted, workload.StatusLastCompleted, workload.StatusCancelled:
		p.done++
	}
}

func (p *usagePeriod) failedShare() stats.Share {
	return stats.Share(float64(p.failed) / float64(p.done))
}

type usagePeriods struct {
	unit        string
	edges       edges
	labels      []string
	first, last float64
	all         []usagePeriod
	sum         usagePeriod // of all jobs; its waits are not kept
}

// newUsagePeriods takes months where eight are complete and no more than 60 there, else
// weeks or days of a shorter log, of which four are complete, and quarters or years of a
// longer one. A log without dates has periods of whole weeks in place of months.
func newUsagePeriods(d *Description) *usagePeriods {
	p := &usagePeriods{}
	p.first, p.last = d.submissions()
	p.unit, p.edges, p.labels = periodsOf(d)
	p.all = make([]usagePeriod, len(p.labels))
	for i := range p.all {
		p.all[i].waits.quantiles.Exact = periodExact
	}
	return p
}

// periodsOf divides a log by the first unit of which it has enough complete periods, else
// by the first of which it has four.
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

// add adds a job and returns its period, -1 for none.
func (p *usagePeriods) add(submit, wait, work float64, user, status int64) int {
	p.sum.ended(status)
	k := p.edges.at(submit)
	if k < 0 {
		return k
	}
	to := &p.all[k]
	to.jobs++
	to.work += work
	if user != workload.Unknown {
		to.users.Add(user)
	}
	if !math.IsNaN(wait) {
		to.waits.add(wait)
	}
	to.ended(status)
	return k
}

func (p *usagePeriods) found(u *user) []UsagePeriod {
	out := []UsagePeriod{}
	for k := range p.all {
		x := &p.all[k]
		seconds := p.edges.covered(k, p.first, p.last)
		share := seconds / (p.edges[k+1] - p.edges[k])
		nan, waits := stats.Number(math.NaN()), x.waits.summary()
		q := UsagePeriod{
			Label: p.labels[k], From: stats.Number(p.edges[k]), To: stats.Number(p.edges[k+1]),
			Covered: stats.Share(share), Complete: share >= completePeriod, Jobs: x.jobs,
			JobsPerDay: stats.Number(float64(x.jobs) / (seconds / 86400)), Users: nan, Load: nan, Utilisation: nan,
			WaitMean: waits.Mean, WaitMedian: waits.Median, WaitQ90: waits.Q90, Failed: x.failedShare(),
		}
		if u.d.Users.Known() {
			q.Users = stats.Number(x.users.Count())
		}
		if u.d.Work > 0 {
			q.Load = stats.Number(x.work / (u.processors * seconds))
		}
		if u.placed > 0 {
			q.Utilisation = stats.Number(x.busy / (u.processors * seconds))
		}
		out = append(out, q)
	}
	return out
}
