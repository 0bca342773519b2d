package inspect

import (
	"cmp"
	"context"
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
	Waits       WaitClass    `json:"waits"`      // of all jobs
	Failed      stats.Share  `json:"failed_pct"` // of the jobs known to have failed, completed or been cancelled

	Width     stats.Number    `json:"interval_s"` // length of Intervals
	Intervals []UsageInterval `json:"intervals"`

	Unit    string        `json:"period"` // "month", "week", ...; "" if the log is too short or too long for any
	Periods []UsagePeriod `json:"periods"`
	Changes []Change      `json:"changes"` // the last complete period compared with the earlier ones
	// LoadTrend is the trend of the offered load over the complete periods, per period; nil
	// if the load is known in fewer than six.
	LoadTrend *stats.Trend `json:"offered_load_trend,omitempty"`

	BySize  []WaitClass `json:"waits_by_size"`
	By      string      `json:"by,omitempty"` // the column of ByValue
	ByValue []WaitClass `json:"waits_by_value,omitempty"`

	// Users and Accounts are those with the most processor time; nil if none is known.
	Users    *Shares `json:"users,omitempty"`
	Accounts *Shares `json:"accounts,omitempty"`
}

// UsageOptions are the options of Use.
type UsageOptions struct {
	// Description is the result of Describe for the same log. Its By names one column of
	// identifiers, whose most frequent values become the classes of Usage.ByValue, or is
	// empty.
	Description *Description
	Top         int // number of users and of accounts to list; 0 means 10
}

// topShares is how many users and accounts are listed.
const topShares = 10

// Validate returns a *workload.OptionError for the first invalid option.
func (o *UsageOptions) Validate() error {
	switch {
	case o.Description == nil:
		return &workload.OptionError{Option: "description", Saw: "none", Want: "the description of the log"}
	case o.Top < 0:
		return &workload.OptionError{Option: "top", Saw: strconv.Itoa(o.Top), Want: "1 or more, or 0 for 10"}
	}
	return nil
}

// Use reads a log once and measures how its machine was used. The caller calls Describe
// before, on the same log opened separately. Memory grows with the number of distinct users
// and accounts, not with the number of jobs.
//
// An invalid option is a *workload.OptionError; other errors are those of the log's reader
// or of ctx. The log is read to its end but not closed.
func Use(ctx context.Context, log *workload.Log, o UsageOptions) (*Usage, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Top == 0 {
		o.Top = topShares
	}
	u := newUsage(o.Description)
	var s slab
	for rec, err := range workload.Until(ctx, log.Batches()) {
		if err != nil {
			return nil, err
		}
		s.fill(rec)
		u.add(&s)
	}
	return u.found(&log.Header, o.Top), nil
}

// stretch is what happened in an interval or a period.
type stretch struct {
	jobs             int64   // submitted
	work, busy       float64 // processor s, of the jobs submitted and of those that ran
	queue, requested float64 // job s and processor s waiting
	users            stats.Cardinality
	waits            waitSum
	failed, done     int64 // of those that have an outcome
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
		s.all[i].waits.quantiles.Exact = periodExact
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
	waits       bool    // some job has one
	width       float64 // of the intervals
	intervals   series
	unit        string
	labels      []string
	periods     series
	outcomes    stretch // of all jobs
	classes     *waitClasses
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
	u.classes = newWaitClasses(d, len(u.periods.all))
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
		u.outcomes.ended(status)
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
			u.waits = true
			u.intervals.overlaps(submit, min(start, u.last), func(k int, seconds float64) {
				u.intervals.all[k].queue += seconds
				if size > 0 {
					u.intervals.all[k].requested += seconds * size
				}
			})
		}
		k := u.periods.at(submit)
		if k >= 0 {
			x := &u.periods.all[k]
			if user := s.user[i]; user != workload.Unknown {
				x.users.Add(user)
			}
			if wait >= 0 {
				x.waits.add(wait)
			}
			x.ended(status)
		}
		u.classes.add(s, i, k, wait)
	}
}

func (u *usage) found(h *workload.Header, top int) *Usage {
	out := &Usage{Unplaced: stats.Share(u.unplaced / u.work), Utilisation: stats.Number(math.NaN()), Width: stats.Number(u.width), Unit: u.unit, Failed: u.outcomes.failedShare()}
	if u.placed > 0 {
		busy := 0.0
		for _, x := range u.intervals.all {
			busy += x.busy
		}
		out.Utilisation = stats.Number(busy / (u.processors * (u.last - u.first)))
	}
	out.Intervals, out.Periods = u.foundIntervals(), u.foundPeriods()
	out.Waits = u.classes.whole.found(out.Periods)
	out.Changes = changesOf(out.Periods)
	out.BySize = foundClasses(u.classes.bySize, out.Periods)
	if d := u.d; d.By != nil {
		out.By, out.ByValue = d.By.Column, foundClasses(u.classes.byValue, out.Periods)
	}
	out.LoadTrend = trendOver(out.Periods, func(k int) stats.Number { return out.Periods[k].Load })
	out.Users, out.Accounts = u.users.found(h, top), u.accounts.found(h, top)
	return out
}

// Shares lists the users, or accounts, with the most processor time.
type Shares struct {
	Column   string      `json:"column"`
	Distinct int64       `json:"distinct"`
	Unknown  int64       `json:"unknown_jobs"` // whose user, or account, is unknown
	Top      []UserShare `json:"top"`          // largest processor time first
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
	column  int
	of      map[int64]*share
	all     share
	unknown int64
}

func (p *sharesPart) add(s *slab) {
	for i := range s.Rows {
		work := workOf(s.size[i], s.run[i])
		p.all.jobs++
		p.all.work += work
		n := s.Int(p.column, i)
		if n == workload.Unknown {
			p.unknown++
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

func (p *sharesPart) found(h *workload.Header, top int) *Shares {
	if len(p.of) == 0 {
		return nil
	}
	column := workload.ColumnAt(p.column).Name
	names := h.NamesOf(column)
	out := &Shares{Column: column, Distinct: int64(len(p.of)), Unknown: p.unknown, Top: []UserShare{}}
	for id, x := range p.of {
		out.Top = append(out.Top, UserShare{
			ID: id, Name: names[id], Jobs: x.jobs, JobsPct: stats.Share(float64(x.jobs) / float64(p.all.jobs)),
			Work: x.work, WorkPct: stats.Share(x.work / p.all.work),
		})
	}
	slices.SortFunc(out.Top, func(a, b UserShare) int {
		return cmp.Or(cmp.Compare(b.Work, a.Work), cmp.Compare(b.Jobs, a.Jobs), cmp.Compare(a.ID, b.ID))
	})
	out.Top = slices.Clip(out.Top[:min(top, len(out.Top))])
	return out
}
