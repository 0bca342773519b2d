package inspect

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Usage describes how a machine was used: how busy it was, how long its queue was over
// time, how long jobs waited, which users used it most, and what changed in the last
// period.
type Usage struct {
	// Unplaced is the share of the work (size times run time) that Utilisation lacks: of
	// the jobs whose wait is unknown, so that it is not known when they ran. NaN if there
	// is no work.
	Unplaced stats.Share `json:"unplaced_work_pct"`
	// Utilisation is the processor time used from the first to the last submission, as a
	// fraction of the machine's capacity in that time; NaN if no job is placed or the size
	// of the machine is unknown. Jobs that run beyond the last submission count up to it.
	Utilisation stats.Number `json:"utilisation"`
	Waits       WaitSummary  `json:"waits"`      // of all jobs
	Failed      stats.Share  `json:"failed_pct"` // of the jobs known to have failed, completed or been cancelled

	Width     stats.Number    `json:"interval_s"` // length of Intervals
	Intervals []UsageInterval `json:"intervals"`

	Unit    string        `json:"period"` // "month", "week", ...; "" if the log is too short or too long for any
	Periods []UsagePeriod `json:"periods"`
	Changes []Change      `json:"changes"` // the last complete period compared with the earlier ones

	BySize []WaitClass `json:"waits_by_size"`

	// Users and Accounts are those with the most processor time; nil if none is known.
	Users    *Shares `json:"users,omitempty"`
	Accounts *Shares `json:"accounts,omitempty"`
}

// topShares is how many users and accounts are listed.
const topShares = 10

// WaitSummary summarises the waits of a set of jobs, in seconds.
type WaitSummary struct {
	Jobs   int64        `json:"jobs" show:"jobs"` // with a known wait
	Mean   stats.Number `json:"mean_s" show:"mean wait,s"`
	Median stats.Number `json:"median_s" show:"median wait,s"`
	Q90    stats.Number `json:"q90_s" show:"90th percentile,s"`
}

// WaitClass summarises the waits of a class of jobs.
type WaitClass struct {
	Name string `json:"name" show:"class"` // a range of sizes such as 2-8
	WaitSummary
}

// Shares lists the users, or accounts, with the most processor time.
type Shares struct {
	Column   string      `json:"column"`
	Distinct int64       `json:"distinct"`
	Top      []UserShare `json:"top"` // largest processor time first
}

// UserShare is the use of the machine by one user or account. Shares are of all jobs and of
// the processor time of all jobs in the log.
type UserShare struct {
	ID      int64       `json:"id"`
	Name    string      `json:"name,omitempty"` // from the header or the format
	Jobs    int64       `json:"jobs"`
	JobsPct stats.Share `json:"jobs_pct" show:"share of jobs,%"`
	Work    float64     `json:"work_processor_s"`
	WorkPct stats.Share `json:"work_pct" show:"share of hours,%"`
}

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

// stretch is a part of a log's time, and what happened in it.
type stretch struct {
	label    string
	from, to float64 // s
	covered  float64 // s between the first and the last submission
	amount           // of the jobs submitted

	busy, queue  float64 // processor s of the jobs that ran, job s waiting
	users        stats.Cardinality
	waits        summary
	failed, done int64 // of those that have an outcome
}

// submitted counts a job by its outcome and its wait.
func (x *stretch) submitted(status int64, wait float64) {
	switch status {
	case workload.StatusFailed, workload.StatusLastFailed:
		x.failed++
		x.done++
	case workload.StatusCompleted, workload.StatusLastCompleted, workload.StatusCancelled:
		x.done++
	}
	x.waits.add(wait)
}

func (x *stretch) failedShare() stats.Share { return stats.Share(float64(x.failed) / float64(x.done)) }

// series are stretches of time, each of which begins where the one before it ends.
type series []stretch

// at is the stretch that a time is in, nil for none. The last one has its end.
func (all series) at(t float64) *stretch {
	n := len(all)
	if n == 0 || !(t >= all[0].from && t <= all[n-1].to) {
		return nil
	}
	return &all[min(all.ending(t), n-1)]
}

// ending finds the first stretch that ends after a time.
func (all series) ending(t float64) int {
	return sort.Search(len(all), func(k int) bool { return all[k].to > t })
}

// overlaps calls use for each stretch that from to to overlaps, with the seconds.
func (all series) overlaps(from, to float64, use func(x *stretch, seconds float64)) {
	if !(from < to) {
		return
	}
	for k := all.ending(from); k < len(all) && all[k].from < to; k++ {
		use(&all[k], min(to, all[k].to)-max(from, all[k].from))
	}
}

// add adds a stretch.
func (all *series) add(label string, from, to float64, d *Description) {
	first, last := d.submissions()
	x := stretch{label: label, from: from, to: to, covered: max(0, min(to, last)-max(from, first))}
	x.waits.values.Limit = 4096
	*all = append(*all, x)
}

// wallSeries are equal stretches by the clock of the site that cover the submissions; one of
// them begins shift seconds after the midnight before second 0.
func wallSeries(d *Description, width, shift float64, label func(from float64) string) (all series) {
	first, last := d.submissions()
	w := newWall(d.Clock, width)
	for k := math.Floor((w.shows(first) - shift) / width); len(all) == 0 || all[len(all)-1].to <= last; k++ {
		from := w.second(k*width + shift)
		all.add(label(from), from, w.second((k+1)*width+shift), d)
	}
	return all
}

// intervalWidth is how long the intervals of a log of so many seconds are: a chart shows no more
// than 200.
func intervalWidth(seconds float64) float64 {
	width := 3600.0
	for _, longer := range []float64{3, 6, 12, 24, 7 * 24, 28 * 24, 84 * 24, 364 * 24} {
		if seconds/width > 198 {
			width = 3600 * longer
		}
	}
	for seconds/width > 198 {
		width *= 2
	}
	return width
}

// completePeriod is the share of a period that a log covers at the least where the
// period is to be compared.
const completePeriod = 0.9

// periodUnits are ways to divide a log's time, in the order of preference: by the first of
// which enough periods are complete. A comparison of fewer months says little that one of
// weeks does not say better.
var periodUnits = []struct {
	name  string
	days  float64
	least int // complete periods
}{{"month", 30, 8}, {"week", 7, 4}, {"day", 1, 4}}

// periodsOf divides a log into calendar months, or runs of 30 days where it has no dates; into
// weeks, which begin on Mondays; or into days. A log that is too short or too long has none.
func periodsOf(d *Description) (unit string, all series) {
	first, last := d.submissions()
	from, to := d.Clock.Month(first), d.Clock.Month(last)
	dated := d.Clock.Dates(first, last)
	for _, u := range periodUnits {
		if all = nil; !(last > first) || (last-first)/86400 > 1000*u.days || from == workload.Unknown || to == workload.Unknown {
			continue
		}
		if u.name == "month" {
			for k := from; k <= to; k++ {
				p := d.Clock.MonthPeriod(k)
				all.add(p.Label, p.From, p.To, d)
			}
		} else {
			shift := 0.0
			if dated && u.name == "week" {
				shift = -86400 * float64((d.Clock.Start.Weekday()+6)%7)
			}
			all = wallSeries(d, 86400*u.days, shift, func(from float64) string {
				if dated {
					return d.Clock.At(from).Format(time.DateOnly)
				}
				return fmt.Sprintf("%s from day %.0f", u.name, from/86400+1)
			})
		}
		complete := 0
		for k := range all {
			if x := &all[k]; x.covered >= completePeriod*(x.to-x.from) {
				complete++
			}
		}
		if complete >= u.least {
			return u.name, all
		}
	}
	return "", nil
}

// Use reads a log once and measures how its machine was used. d is the result of Describe
// for the same log, opened separately. Memory grows with the number of distinct users and
// accounts, not with the number of jobs.
//
// Errors are those of the log's reader or of ctx. The log is read to its end but not closed.
func Use(ctx context.Context, log *workload.Log, d *Description) (*Usage, error) {
	first, last := d.submissions()
	processors := number(int64(d.Log.Processors))
	out := &Usage{Utilisation: stats.Number(math.NaN()), Intervals: []UsageInterval{}, Periods: []UsagePeriod{}}
	var intervals, periods series
	if last >= first {
		width := intervalWidth(last - first)
		out.Width, intervals = stats.Number(width), wallSeries(d, width, 0, func(float64) string { return "" })
	}
	out.Unit, periods = periodsOf(d)
	var (
		whole           stretch
		work, unplaced  float64 // processor s of the jobs submitted, and of those whose wait is unknown
		placed          int64
		bySize          = make([]summary, len(sizeBands))
		total           amount // of all jobs
		users, accounts = map[int64]*amount{}, map[int64]*amount{}
		s               slab
	)
	for b, err := range workload.Until(ctx, log.Batches()) {
		if err != nil {
			return nil, err
		}
		s.fill(b)
		for i, submit := range s.submit {
			total.add(&s, i)
			addTo(users, s.user[i], &s, i)
			addTo(accounts, s.Int(workload.ColAccount, i), &s, i)
			if math.IsNaN(submit) {
				continue
			}
			wait, run, size, status := s.wait[i], s.run[i], number(s.size[i]), s.Int(workload.ColStatus, i)
			if !(wait >= 0 && wait <= latestTime) {
				wait = math.NaN()
			}
			start := submit + wait
			isPlaced := wait >= 0 && run >= 0 && run <= latestTime && size >= 0
			if work += s.work[i]; isPlaced {
				placed++
			} else {
				unplaced += s.work[i]
			}
			for _, all := range []series{intervals, periods} {
				if isPlaced {
					all.overlaps(max(start, first), min(start+run, last), func(x *stretch, seconds float64) { x.busy += seconds * size })
				}
				if x := all.at(submit); x != nil {
					x.amount.add(&s, i)
				}
			}
			whole.submitted(status, wait)
			if k := bandOf(s.size[i]); k >= 0 {
				bySize[k].add(wait)
			}
			intervals.overlaps(submit, min(start, last), func(x *stretch, seconds float64) { x.queue += seconds })
			if x := periods.at(submit); x != nil {
				if user := s.user[i]; user != workload.Unknown {
					x.users.Add(user)
				}
				x.submitted(status, wait)
			}
		}
	}
	out.Unplaced, out.Failed, out.Waits = stats.Share(unplaced/work), whole.failedShare(), waitsOf(&whole.waits)
	rates := func(x *stretch) (load, utilisation stats.Number) {
		load, utilisation = stats.Number(math.NaN()), stats.Number(math.NaN())
		if d.Work > 0 {
			load = stats.Number(x.work.Value() / (processors * x.covered))
		}
		if placed > 0 {
			utilisation = stats.Number(x.busy / (processors * x.covered))
		}
		return load, utilisation
	}
	for k := range intervals {
		x := &intervals[k]
		whole.busy += x.busy
		nan := stats.Number(math.NaN())
		i := UsageInterval{Start: stats.Number(x.from), Covered: stats.Number(x.covered), Jobs: x.jobs, Load: nan, Utilisation: nan, JobsWaiting: nan}
		if x.covered > 0 {
			i.Load, i.Utilisation = rates(x)
		}
		if x.covered > 0 && out.Waits.Jobs > 0 {
			i.JobsWaiting = stats.Number(x.queue / x.covered)
		}
		out.Intervals = append(out.Intervals, i)
	}
	if placed > 0 {
		out.Utilisation = stats.Number(whole.busy / (processors * (last - first)))
	}
	for k := range periods {
		x := &periods[k]
		share, waits := x.covered/(x.to-x.from), waitsOf(&x.waits)
		p := UsagePeriod{
			Label: x.label, From: stats.Number(x.from), To: stats.Number(x.to),
			Covered: stats.Share(share), Complete: share >= completePeriod, Jobs: x.jobs,
			JobsPerDay: stats.Number(float64(x.jobs) / (x.covered / 86400)), Users: stats.Number(math.NaN()),
			WaitMean: waits.Mean, WaitMedian: waits.Median, WaitQ90: waits.Q90, Failed: x.failedShare(),
		}
		if d.Users.Known() {
			p.Users = stats.Number(x.users.Count())
		}
		p.Load, p.Utilisation = rates(x)
		out.Periods = append(out.Periods, p)
	}
	out.Changes = changesOf(out.Periods)
	for k := range bySize {
		if w := waitsOf(&bySize[k]); w.Jobs > 0 {
			out.BySize = append(out.BySize, WaitClass{bandName(k, int64(d.Log.Processors)), w})
		}
	}
	out.Users, out.Accounts = sharesOf("user_id", users, &total, &log.Header), sharesOf("account_id", accounts, &total, &log.Header)
	return out, nil
}

func waitsOf(waits *summary) WaitSummary {
	return WaitSummary{waits.known(), stats.Number(waits.moments.Mean()), waits.quantile(0.5), waits.quantile(0.9)}
}

// sizeBands are the least sizes of the classes by size.
var sizeBands = []int64{1, 2, 9, 65, 513}

// bandOf is the class of a size; -1 for none.
func bandOf(size int64) int {
	return sort.Search(len(sizeBands), func(k int) bool { return sizeBands[k] > size }) - 1
}

// bandName names a class of sizes, which ends at the size of the machine at the latest.
func bandName(k int, processors int64) string {
	from, to := sizeBands[k], int64(math.MaxInt64)
	if k+1 < len(sizeBands) {
		to = sizeBands[k+1] - 1
	}
	if processors >= from {
		to = min(to, processors)
	}
	switch to {
	case from:
		return strconv.FormatInt(from, 10)
	case math.MaxInt64:
		return fmt.Sprintf("%d or more", from)
	}
	return fmt.Sprintf("%d-%d", from, to)
}

// addTo adds a job to those of a user or an account.
func addTo(all map[int64]*amount, id int64, s *slab, i int) {
	if id == workload.Unknown {
		return
	}
	x := all[id]
	if x == nil {
		x = &amount{}
		all[id] = x
	}
	x.add(s, i)
}

func sharesOf(column string, all map[int64]*amount, total *amount, h *workload.Header) *Shares {
	if len(all) == 0 {
		return nil
	}
	names := h.NamesOf(column)
	out := &Shares{Column: column, Distinct: int64(len(all)), Top: []UserShare{}}
	for id, x := range all {
		out.Top = append(out.Top, UserShare{
			ID: id, Name: names[id], Jobs: x.jobs, JobsPct: stats.Share(float64(x.jobs) / float64(total.jobs)),
			Work: x.work.Value(), WorkPct: stats.Share(x.work.Value() / total.work.Value()),
		})
	}
	slices.SortFunc(out.Top, func(a, b UserShare) int {
		return cmp.Or(cmp.Compare(b.Work, a.Work), cmp.Compare(b.Jobs, a.Jobs), cmp.Compare(a.ID, b.ID))
	})
	out.Top = slices.Clip(out.Top[:min(topShares, len(out.Top))])
	return out
}

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
