package population

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/extent"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	hour = 3600.0 // s
	day  = 24 * hour
)

// Options determine what to generate. The zero value generates one lap, as long
// as the log and with its load. At most one of Days and Jobs may be set.
type Options struct {
	Days float64 `opt:"days" in:"(0,3652425]" not:"jobs"` // the time in which jobs are submitted, in days
	Jobs int64   `opt:"jobs" in:"[1,)"`                   // the number of jobs
	Load float64 `opt:"load" in:"(0,100]"`                // offered load to reach on the model's processors; 0 means that of the log
	// Processors is the size of the machine; 0 means that of the model. A
	// larger machine has more users, at the same load.
	Processors int64     `opt:"processors" in:"[1,16777216]"`
	Start      time.Time // time of second 0: a midnight, on a Monday if the model has weeks; zero means that of the log; see workload.Header.AddStart
	Seed       uint64
	Workers    int // goroutines; 0 means one for each core. The jobs do not depend on it
}

const (
	// maxLapJobs is the largest number of jobs submitted in the time of the log. They are held in
	// memory, some 600 bytes each.
	maxLapJobs = 1e7
	// maxOwnFactor is the largest ratio of the load that a model states to the load that its
	// users make. It is about 1 in a fitted model, whatever the load of the log.
	maxOwnFactor = 10
)

// largeLap is the number of jobs above which laps are drawn one after the other,
// so that memory holds one at a time.
var largeLap = 1e6

// Workload draws jobs from a model.
type Workload struct {
	m      *population.Model
	o      Options
	load   float64 // offered load to reach
	factor float64 // number of users, relative to the model's

	cycle                              // of jobs
	copulas              [][][]float64 // Cholesky factors of the traits' correlations, by stratum
	bags, visits         []groups      // by stratum: jobs in a bag, bags in a session
	sizeLaw              atoms
	classes              []population.LawClass // of run times, with GPUs or all, then without
	runs, waits          []sampler             // by class
	within, apart, think sampler
	rows                 []workload.Job // the model's rows of resources; one without values if it has none
	asks                 [population.NumAsks]bool
	cells                [][]float64 // distributions of run times by class and cell; nil without estimates
}

// New returns the Workload of a model. The error is a *workload.OptionError for an option that
// cannot be used, and a *workload.InputError for a field of the model.
func New(m population.Model, o Options) (*Workload, error) {
	if err := opt.Check(&o); err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	own := m.Processors
	if largest := m.Sizes.Sizes[len(m.Sizes.Sizes)-1]; o.Processors > 0 && o.Processors < largest {
		return nil, workload.OptionFault("processors", o.Processors, "%d or more, the largest size of the model", largest)
	} else if o.Processors > 0 {
		m.Processors = o.Processors
	}
	if !o.Start.IsZero() && len(m.Cycle.Weights) != 24 && o.Start.Weekday() != time.Monday {
		monday := o.Start.AddDate(0, 0, (8-int(o.Start.Weekday()))%7)
		return nil, workload.OptionFault("start", o.Start.Format("2006-01-02, a ")+o.Start.Weekday().String(), "a Monday, such as %s: the model's weeks begin with it", monday.Format("2006-01-02"))
	}
	w := prepare(&m, o)
	made, jobs, most := w.load/w.factor, w.lapJobs(), extent.MaxFactor*m.Log.Load
	switch f := w.factor * float64(own) / float64(m.Processors); {
	case o.Load == 0 && f > maxOwnFactor:
		return nil, &workload.InputError{File: m.Name, Field: "log.load", Saw: fmt.Sprintf("%g", m.Log.Load),
			Want: fmt.Sprintf("at most %.3g, %d times what the users of the model make (1 is all processors busy)", maxOwnFactor*m.Log.Load/f, maxOwnFactor)}
	case made > most:
		return nil, &workload.InputError{File: m.Name, Field: "users", Saw: fmt.Sprintf("work that makes a load of %.3g", made), Want: fmt.Sprintf("a load of at most %.3g, %d times log.load", most, extent.MaxFactor)}
	case w.factor > extent.MaxFactor:
		return nil, workload.OptionFault("load", fmt.Sprintf("%.3g, but the model's users make %.3g", w.load, made), "at most %d times what they make", extent.MaxFactor)
	case jobs > maxLapJobs:
		return nil, workload.OptionFault("load", fmt.Sprintf("%.3g, which is about %.3g jobs in the time of the log", w.load, jobs), "at most %g, which memory holds at once", float64(maxLapJobs))
	}
	return w, nil
}

// lapJobs returns the approximate number of jobs in a lap.
func (w *Workload) lapJobs() (n float64) {
	for i := range w.m.Users.Strata {
		s := &w.m.Users.Strata[i]
		n += float64(max(s.Jobs, s.Users)) * w.factor // each user has at least one
	}
	return n
}

// Processors returns the size of the machine that the load is for, in the model's unit.
func (w *Workload) Processors() int64 { return w.m.Processors }

// Made contains totals of the jobs generated so far.
type Made = extent.Made

// Jobs yields the jobs in order of submission, from second 0 (Options.Start).
// Request.Preceding and Think give the job that a job waits for; waits are
// unknown.
func (w *Workload) Jobs(ctx context.Context) workload.JobSeq { return w.Counted(ctx, new(Made)) }

// Counted is like Jobs, but also counts the jobs in made, which it resets first.
func (w *Workload) Counted(ctx context.Context, made *Made) workload.JobSeq {
	laps, left, until := int64(1), int64(math.MaxInt64), math.Inf(1)
	switch {
	case w.o.Days > 0:
		until = w.o.Days * day
		laps = int64(math.Ceil(until / w.length()))
	case w.o.Jobs > 0:
		laps, left = math.MaxInt64, w.o.Jobs
	}
	drawer := *w
	draw := func(n int64) (*lap, error) { return drawer.lap(n), nil }
	drawn := oneByOne(par.Numbers(ctx, laps), draw)
	if w.lapJobs() <= largeLap {
		drawn = par.Map(w.o.Workers, par.Numbers(ctx, laps), draw, nil)
		if laps > 1 { // the cores are shared by several laps
			drawer.o.Workers = 1
		}
	}
	return workload.Until(ctx, func(yield func(workload.Job, error) bool) {
		*made = Made{}
		out := writer{Workload: w, made: made, yield: yield}
		for l, err := range drawn {
			if err != nil {
				yield(workload.Job{}, err)
				return
			}
			start := float64(l.number) * w.length()
			whole := len(l.order)
			l.cut(left, until-start)
			if n := len(l.order); n > 0 {
				from, to := 0.0, w.length()
				if l.number == 0 {
					from = l.job(0).at
				}
				if n < whole || l.number == laps-1 || int64(n) == left {
					to = l.job(n - 1).at
				}
				w.level(l, from, to)
			}
			left -= int64(len(l.order))
			if !out.write(l, start) || left == 0 {
				return
			}
			if made.Jobs == 0 && l.number == extent.EmptyLaps-1 {
				yield(workload.Job{}, extent.ErrEmpty)
				return
			}
		}
	})
}

// oneByOne draws each lap only when it is needed.
func oneByOne(numbers iter.Seq2[int64, error], draw func(int64) (*lap, error)) iter.Seq2[*lap, error] {
	return func(yield func(*lap, error) bool) {
		for n, err := range numbers {
			var l *lap
			if err == nil {
				l, err = draw(n)
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}

// writer yields the jobs of one lap after another.
type writer struct {
	*Workload
	made  *Made
	apps  int64
	yield func(workload.Job, error) bool
}

// write yields the jobs of a lap, and reports whether to continue. Users have applications of
// their own, numbered in order of first use.
func (o *writer) write(l *lap, start float64) bool {
	ids, apps := make([][]int64, len(l.people)), make([][]int64, len(l.people))
	for u := range ids {
		ids[u], apps[u] = make([]int64, len(l.people[u].jobs)), make([]int64, l.people[u].apps)
	}
	first := o.made.Users
	o.made.Users += int64(len(l.people))
	for i, e := range l.order {
		k := l.job(i)
		t := &l.people[e.user].templates[k.template]
		j := o.asking(t)
		j.Row, j.ID, j.Submit = o.made.Jobs, o.made.Jobs+1, start+k.at
		if o.m.Unit == population.OfProcessors { // in other units, resources have the sizes
			j.Size, j.Processors, j.Allocated = k.size, k.size, k.size
		}
		j.Run, j.User, j.Status = k.run, first+int64(e.user)+1, workload.StatusCompleted
		if o.m.Applications.Count > 0 {
			app := &apps[e.user][t.app]
			if *app == 0 {
				o.apps++
				*app = o.apps
			}
			j.Application = *app
		}
		if s := o.m.Statuses.Values; s != nil {
			if j.Status = s[k.status]; j.Status < 0 {
				j.Status = workload.Unknown
			}
		}
		ids[e.user][e.job] = j.ID
		if k.pred != none && ids[e.user][k.pred] > 0 {
			j.Preceding, j.Think = ids[e.user][k.pred], float64(k.think)
		}
		o.made.Add(&j, j.Run*float64(k.size))
		if !o.yield(j, nil) {
			return false
		}
	}
	return true
}

// asking returns a job with the requests and resources of its template.
func (w *Workload) asking(t *template) workload.Job {
	j := w.rows[t.row]
	for what, law := range w.laws() {
		if !w.asks[what] {
			continue
		}
		switch v := law.Values[int(t.asks[what])]; {
		case what == population.AsksQueue && v >= 0:
			j.Queue = int64(v)
		case what == population.AsksTime && v > 0:
			j.Time = v
		case what == population.AsksMemory && v > 0:
			j.Memory = v
		}
	}
	return j
}

// Optional returns the optional columns of the job table that the generated jobs have.
func (w *Workload) Optional() (s workload.ColumnSet) {
	for _, column := range w.m.Resources.Columns {
		s |= workload.ColumnSetOf(workload.ColumnIndex(column.Name))
	}
	return s & workload.OptionalColumns
}

// Header returns the header of the generated log, which records how to generate
// it again. by names the program and its version.
func (w *Workload) Header(made *Made, by string) (h workload.Header) {
	m := w.m
	h.Add("Version", "2.2")
	h.Add("Computer", fmt.Sprintf("none: a synthetic log for %d %s", m.Processors, m.Unit))
	h.Add("Conversion", "Loadstone, generate")
	if !w.o.Start.IsZero() {
		h.AddStart(w.o.Start)
	} else if m.Log.Start != 0 {
		h.Add("UnixStartTime", strconv.FormatInt(m.Log.Start, 10))
		if m.Log.Zone != "" {
			h.Add("TimeZoneString", m.Log.Zone)
		}
	}
	h.Add(m.Unit.Key(), strconv.FormatInt(m.Processors, 10))
	h.Add("Note", fmt.Sprintf("synthetic: users, sessions and jobs drawn from the model %s with seed %d", strconv.Quote(m.Name), w.o.Seed))
	h.Add("Note", "waits are unknown; preceding job and think time give the dependencies of jobs")
	for _, column := range m.Resources.Columns {
		key := workload.NameKey(workload.ColumnIndex(column.Name))
		for _, n := range slices.Sorted(maps.Keys(column.Names)) {
			h.AddNamed(key, n, column.Names[n])
		}
	}
	h.Complete(made.Facts.Facts(), by)
	return h
}
