package inspect

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
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

// Use reads a log once and measures how its machine was used. d is the result of Describe
// for the same log, opened separately. Memory grows with the number of distinct users and
// accounts, not with the number of jobs.
//
// Errors are those of the log's reader or of ctx. The log is read to its end but not closed.
func Use(ctx context.Context, log *workload.Log, d *Description) (*Usage, error) {
	u := newUsage(d)
	var s slab
	for rec, err := range workload.Until(ctx, log.Batches()) {
		if err != nil {
			return nil, err
		}
		s.fill(rec)
		u.add(&s)
	}
	return u.found(&log.Header), nil
}

// stretch is what happened in an interval or a period.
type stretch struct {
	jobs         int64   // submitted
	work, busy   float64 // processor s, of the jobs submitted and of those that ran
	queue        float64 // job s waiting
	users        stats.Cardinality
	waits        waits
	failed, done int64 // of those that have an outcome
}

// rates are the load and the utilisation in so many seconds; NaN where unknown.
func (u *usage) rates(x *stretch, seconds float64) (load, utilisation stats.Number) {
	load, utilisation = stats.Number(math.NaN()), stats.Number(math.NaN())
	if u.d.Work > 0 {
		load = stats.Number(x.work / (u.processors * seconds))
	}
	if u.placed > 0 {
		utilisation = stats.Number(x.busy / (u.processors * seconds))
	}
	return load, utilisation
}

// ended counts a job with an outcome.
func (x *stretch) ended(status int64) {
	switch status {
	case workload.StatusFailed, workload.StatusLastFailed:
		x.failed++
		x.done++
	case workload.StatusCompleted, workload.StatusLastCompleted, workload.StatusCancelled:
		x.done++
	}
}

func (x *stretch) failedShare() stats.Share { return stats.Share(float64(x.failed) / float64(x.done)) }

// series is a log's time in stretches.
type series struct {
	edges
	all []stretch
}

func newSeries(e edges) series {
	s := series{edges: e}
	if len(e) > 1 {
		s.all = make([]stretch, len(e)-1)
	}
	for i := range s.all {
		s.all[i].waits.values.Limit = periodExact
	}
	return s
}

// usage gathers a Usage.
type usage struct {
	d           *Description
	first, last float64 // s, of submissions
	processors  float64
	placed      int64
	work        float64 // processor-seconds, of all jobs
	unplaced    float64 // of those whose wait is unknown
	width       float64 // of the intervals
	intervals   series
	unit        string
	labels      []string
	periods     series
	whole       stretch // of all jobs: outcomes and waits
	bySize      []waits // as sizeBands
	users       *sharesPart
	accounts    *sharesPart
}

func newUsage(d *Description) *usage {
	u := &usage{d: d, processors: math.NaN()}
	u.first, u.last = d.submissions()
	if p := d.Log.Processors; p.Known() {
		u.processors = float64(p)
	}
	if u.last >= u.first {
		u.width = usageWidth(u.last - u.first)
		u.intervals = newSeries(wallEdges(d.Clock, u.width, 0, u.first, u.last))
	}
	var e edges
	u.unit, e, u.labels = periodsOf(d)
	u.periods = newSeries(e)
	u.bySize = make([]waits, len(sizeBands))
	u.users = &sharesPart{column: workload.ColUser, of: map[int64]*share{}}
	u.accounts = &sharesPart{column: workload.ColAccount, of: map[int64]*share{}}
	return u
}

// submissions are the times of the first and the last.
func (d *Description) submissions() (first, last float64) {
	return float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit)
}

func (u *usage) add(s *slab) {
	u.users.add(s)
	u.accounts.add(s)
	for i, submit := range s.submit {
		if math.IsNaN(submit) {
			continue
		}
		wait, run, size := s.wait[i], s.run[i], number(s.size[i])
		if !(wait >= 0 && wait <= latestTime) {
			wait = math.NaN()
		}
		work := workOf(s.size[i], run)
		u.work += work
		start := submit + wait
		from, to := max(start, u.first), min(start+run, u.last)
		isPlaced := wait >= 0 && run >= 0 && run <= latestTime && size >= 0
		if isPlaced {
			u.placed++
		} else {
			u.unplaced += work
		}
		status := s.Int(workload.ColStatus, i)
		u.whole.ended(status)
		for _, series := range []*series{&u.intervals, &u.periods} {
			if isPlaced {
				series.overlaps(from, to, func(k int, seconds float64) { series.all[k].busy += seconds * size })
			}
			if k := series.at(submit); k >= 0 {
				series.all[k].jobs++
				series.all[k].work += work
			}
		}
		if wait >= 0 {
			u.whole.waits.add(wait)
			if k := bandOf(s.size[i]); k >= 0 {
				u.bySize[k].add(wait)
			}
			u.intervals.overlaps(submit, min(start, u.last), func(k int, seconds float64) {
				u.intervals.all[k].queue += seconds
			})
		}
		if k := u.periods.at(submit); k >= 0 {
			x := &u.periods.all[k]
			if user := s.user[i]; user != workload.Unknown {
				x.users.Add(user)
			}
			if wait >= 0 {
				x.waits.add(wait)
			}
			x.ended(status)
		}
	}
}

func (u *usage) found(h *workload.Header) *Usage {
	out := &Usage{Unplaced: stats.Share(u.unplaced / u.work), Utilisation: stats.Number(math.NaN()), Width: stats.Number(u.width), Unit: u.unit, Failed: u.whole.failedShare(), Waits: u.whole.waits.summary()}
	if u.placed > 0 {
		busy := 0.0
		for _, x := range u.intervals.all {
			busy += x.busy
		}
		out.Utilisation = stats.Number(busy / (u.processors * (u.last - u.first)))
	}
	out.Intervals, out.Periods = u.foundIntervals(), u.foundPeriods()
	out.Changes = changesOf(out.Periods)
	for k := range u.bySize {
		if w := &u.bySize[k]; w.n > 0 {
			out.BySize = append(out.BySize, WaitClass{bandName(k, int64(u.d.Log.Processors)), w.summary()})
		}
	}
	out.Users, out.Accounts = u.users.found(h), u.accounts.found(h)
	return out
}

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

// sizeBands are the least sizes of the classes by size.
var sizeBands = []int64{1, 2, 9, 65, 513}

// bandOf is the class of a size; -1 for none.
func bandOf(size int64) int {
	k := len(sizeBands) - 1
	for k >= 0 && sizeBands[k] > size {
		k--
	}
	return k
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

// waits gathers a WaitSummary.
type waits struct {
	n      int64
	sum    float64
	values stats.Distribution
}

func (w *waits) add(wait float64) {
	w.n++
	w.sum += wait
	w.values.Add(wait)
}

func (w *waits) summary() WaitSummary {
	return WaitSummary{
		Jobs: w.n, Mean: stats.Number(w.sum / float64(w.n)), Median: stats.Number(w.values.Quantile(0.5)),
		Q90: stats.Number(w.values.Quantile(0.9)),
	}
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

type share struct {
	jobs int64
	work float64
}

type sharesPart struct {
	column int
	of     map[int64]*share
	all    share
}

func (p *sharesPart) add(s *slab) {
	for i := range s.Rows {
		work := workOf(s.size[i], s.run[i])
		p.all.jobs++
		p.all.work += work
		n := s.Int(p.column, i)
		if n == workload.Unknown {
			continue
		}
		x := p.of[n]
		if x == nil {
			x = &share{}
			p.of[n] = x
		}
		x.jobs++
		x.work += work
	}
}

func (p *sharesPart) found(h *workload.Header) *Shares {
	if len(p.of) == 0 {
		return nil
	}
	column := workload.ColumnAt(p.column).Name
	names := h.NamesOf(column)
	out := &Shares{Column: column, Distinct: int64(len(p.of)), Top: []UserShare{}}
	for id, x := range p.of {
		out.Top = append(out.Top, UserShare{
			ID: id, Name: names[id], Jobs: x.jobs, JobsPct: stats.Share(float64(x.jobs) / float64(p.all.jobs)),
			Work: x.work, WorkPct: stats.Share(x.work / p.all.work),
		})
	}
	slices.SortFunc(out.Top, func(a, b UserShare) int {
		return cmp.Or(cmp.Compare(b.Work, a.Work), cmp.Compare(b.Jobs, a.Jobs), cmp.Compare(a.ID, b.ID))
	})
	out.Top = slices.Clip(out.Top[:min(topShares, len(out.Top))])
	return out
}
