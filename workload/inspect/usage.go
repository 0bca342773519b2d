package inspect

import (
	"context"
	"math"
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
	u := newUser(o.Description)
	var s slab
	for rec, err := range workload.Until(ctx, log.Batches()) {
		if err != nil {
			return nil, err
		}
		s.fill(workload.NewView(rec))
		u.add(&s)
	}
	return u.usage(&log.Header, o.Top), nil
}

// user gathers a Usage.
type user struct {
	d           *Description
	first, last float64 // s, of submissions
	processors  float64
	placed      int64
	work        float64 // processor-seconds, of all jobs
	unplaced    float64 // of those whose wait is unknown
	series      *usageSeries
	periods     *usagePeriods
	classes     *waitClasses
	users       *sharesPart
	accounts    *sharesPart
}

func newUser(d *Description) *user {
	u := &user{d: d, processors: math.NaN()}
	u.first, u.last = d.submissions()
	if p := d.Log.Processors; p.Known() {
		u.processors = float64(p)
	}
	u.series = newUsageSeries(d)
	u.periods = newUsagePeriods(d)
	u.classes = newWaitClasses(d, len(u.periods.all))
	u.users = &sharesPart{column: workload.ColUser, of: map[int64]*share{}}
	u.accounts = &sharesPart{column: workload.ColAccount, of: map[int64]*share{}}
	return u
}

// submissions are the times of the first and the last.
func (d *Description) submissions() (first, last float64) {
	return float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit)
}

func (u *user) add(s *slab) {
	u.users.add(s)
	u.accounts.add(s)
	for i, submit := range s.submit {
		if math.IsNaN(submit) {
			continue
		}
		wait, run, size := s.wait[i], s.run[i], float64(s.size[i])
		if s.size[i] == workload.Unknown {
			size = math.NaN()
		}
		if !(wait >= 0 && wait <= latestTime) {
			wait = math.NaN()
		}
		work := workOf(s.size[i], run)
		u.work += work
		if wait >= 0 && run >= 0 && run <= latestTime && size >= 0 {
			u.placed++
			u.busy(submit+wait, submit+wait+run, size)
		} else {
			u.unplaced += work
		}
		u.series.submitted(submit, work)
		u.series.waiting(submit, submit+wait, size)
		at := u.periods.add(submit, wait, work, s.user[i], s.Int(workload.ColStatus, i))
		u.classes.add(s, i, at, wait)
	}
}

// busy adds a job that runs from one time to another.
func (u *user) busy(from, to, size float64) {
	from, to = max(from, u.first), min(to, u.last)
	u.series.edges.overlaps(from, to, func(k int, seconds float64) { u.series.all[k].busy += seconds * size })
	u.periods.edges.overlaps(from, to, func(k int, seconds float64) { u.periods.all[k].busy += seconds * size })
}

func (u *user) usage(h *workload.Header, top int) *Usage {
	out := &Usage{Unplaced: stats.Share(u.unplaced / u.work), Utilisation: stats.Number(math.NaN())}
	busy := 0.0
	for _, x := range u.series.all {
		busy += x.busy
	}
	if u.placed > 0 {
		out.Utilisation = stats.Number(busy / (u.processors * (u.last - u.first)))
	}
	out.Width, out.Intervals = stats.Number(u.series.width), u.series.found(u)
	out.Unit, out.Periods = u.periods.unit, u.periods.found(u)
	out.Waits = u.classes.whole.found(out.Periods)
	out.Failed = u.periods.sum.failedShare()
	out.Changes = changesOf(out.Periods)
	out.BySize = u.classes.found(u.classes.bySize, out.Periods)
	if d := u.d; d.By != nil {
		out.By, out.ByValue = d.By.Column, u.classes.found(u.classes.byValue, out.Periods)
	}
	out.LoadTrend = trendOver(out.Periods, func(k int) stats.Number { return out.Periods[k].Load })
	out.Users = u.users.found(h, top)
	out.Accounts = u.accounts.found(h, top)
	return out
}
