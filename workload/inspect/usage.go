package inspect

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"

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
