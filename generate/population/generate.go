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
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options determine what to generate. The zero value generates one lap, as long
// as the log and with its load. At most one of Days and Jobs may be set.
type Options struct {
	Days float64 // the time in which jobs are submitted, in days; above 0, at most MaxDays
	Jobs int64   // the number of jobs; at least 1
	Load float64 // offered load to reach on the model's processors, at most MaxLoad; 0 means that of the log
	// Processors is the size of the machine; 0 means that of the model. A
	// larger machine has more users, at the same load.
	Processors int64     `opt:"procs" in:"[1,)"`
	Start      time.Time // time of second 0: a midnight, of a Monday if the model has weeks; zero means that of the log; see workload.Header.AddStart
	Seed       uint64
	Workers    int // goroutines; 0 means one for each core. The jobs do not depend on it
}

// Bounds of Options.
const (
	MaxDays   = extent.MaxDays   // 10,000 years
	MaxLoad   = extent.MaxLoad   // 100 times what the machine can do
	MaxFactor = extent.MaxFactor // of the load, relative to that of the log
	// MaxLapJobs bounds the jobs that are submitted in the time of the log. Memory
	// holds them, some 600 bytes each.
	MaxLapJobs = 1e7
)

// Validate returns a *workload.OptionError for an option that cannot be used.
func (o Options) Validate() error {
	if o.Processors < 0 || o.Processors > population.MaxProcessors {
		return workload.OptionFault("processors", o.Processors, "1 to %d", population.MaxProcessors)
	}
	return extent.Extent{Days: o.Days, Jobs: o.Jobs, Load: o.Load}.Validate()
}

// maxOwnFactor is how many times the load that the users of a model make its own
// load may be. A fitted model has about 1; a log may offer any load.
const maxOwnFactor = 10

// bounded returns nil, or an error where a lap would have too many jobs or hardly any.
func (p *prepared) bounded() error {
	made, jobs := p.load/p.factor, p.lapJobs()
	switch most := MaxFactor * p.m.Log.Load; {
	case made > most:
		return &workload.InputError{File: p.m.Name, Field: "users", Saw: fmt.Sprintf("work that makes a load of %.3g", made), Want: fmt.Sprintf("a load of at most %.3g, %d times log.load", most, MaxFactor)}
	case p.factor > MaxFactor:
		return &workload.OptionError{Option: "load", Saw: fmt.Sprintf("%.3g, and the users of the model make %.3g", p.load, made), Want: fmt.Sprintf("at most %d times what they make", MaxFactor)}
	case jobs > MaxLapJobs:
		return &workload.OptionError{Option: "load", Saw: fmt.Sprintf("%.3g, which is about %.3g jobs in the time of the log", p.load, jobs), Want: fmt.Sprintf("at most %g, which memory holds at once", float64(MaxLapJobs))}
	}
	return nil
}

// lapJobs is about how many jobs a lap has.
func (p *prepared) lapJobs() (n float64) {
	for i := range p.m.Users.Strata {
		s := &p.m.Users.Strata[i]
		n += float64(max(s.Jobs, s.Users)) * p.factor // one each at least
	}
	return n
}

// Workload is a model, ready to draw jobs from.
type Workload struct {
	p *prepared
	o Options
}

// New returns the workload of a model. An option that cannot be used is a
// *workload.OptionError, a field of the model a *workload.InputError.
func New(m population.Model, o Options) (*Workload, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	own := m.Processors
	if largest := m.Sizes.Sizes[len(m.Sizes.Sizes)-1]; o.Processors > 0 && o.Processors < largest {
		return nil, &workload.OptionError{Option: "processors", Saw: fmt.Sprint(o.Processors), Want: fmt.Sprintf("%d or more, the largest size of the model", largest)}
	} else if o.Processors > 0 {
		m.Processors = o.Processors
	}
	if !o.Start.IsZero() && len(m.Cycle.Weights) != 24 && o.Start.Weekday() != time.Monday {
		monday := o.Start.AddDate(0, 0, (8-int(o.Start.Weekday()))%7)
		return nil, &workload.OptionError{Option: "start", Saw: o.Start.Format("2006-01-02, a ") + o.Start.Weekday().String(), Want: "a Monday, such as " + monday.Format("2006-01-02") + ": the model's weeks begin with it"}
	}
	w := &Workload{prepare(&m, o), o}
	if f := w.p.factor * float64(own) / float64(m.Processors); o.Load == 0 && f > maxOwnFactor {
		made := m.Log.Load / f
		return nil, &workload.InputError{File: m.Name, Field: "log.load", Saw: fmt.Sprintf("%g", m.Log.Load),
			Want: fmt.Sprintf("at most %.3g, %d times what the users of the model make (1 is all processors busy)", maxOwnFactor*made, maxOwnFactor)}
	}
	if err := w.p.bounded(); err != nil {
		return nil, err
	}
	return w, nil
}

// Processors returns the size of the machine that the load is for, in the model's unit.
func (w *Workload) Processors() int64 { return w.p.m.Processors }

// Unit returns the unit of sizes, such as processors or nodes.
func (w *Workload) Unit() population.Unit { return w.p.m.Unit }

// Made contains totals of the jobs generated so far.
type Made = extent.Made

// Jobs yields the jobs in order of submission, from second 0 (Options.Start).
// Request.Preceding and Think give the job that a job waits for; waits are
// unknown.
func (w *Workload) Jobs(ctx context.Context) workload.JobSeq { return w.Counted(ctx, new(Made)) }

// Counted is Jobs that also adds the jobs to made.
func (w *Workload) Counted(ctx context.Context, made *Made) workload.JobSeq {
	length := float64(w.p.periods) * w.p.period
	laps, left, until := int64(1), int64(math.MaxInt64), math.Inf(1)
	switch {
	case w.o.Days > 0:
		until = w.o.Days * day
		laps = int64(math.Ceil(until / length))
	case w.o.Jobs > 0:
		laps, left = math.MaxInt64, w.o.Jobs
	}
	inner := *w.p
	large := w.p.lapJobs() > largeLap
	if laps > 1 && !large { // laps are made on the same cores
		inner.workers = 1
	}
	return workload.Until(ctx, func(yield func(workload.Job, error) bool) {
		*made = Made{}
		out := writer{w: w, made: made, yield: yield}
		draw := func(n int64) (*lap, error) { return inner.lap(n), nil }
		drawn := par.Map(w.o.Workers, par.Numbers(ctx, laps), draw, nil)
		if large {
			drawn = oneByOne(par.Numbers(ctx, laps), draw)
		}
		for l, err := range drawn {
			if err != nil {
				yield(workload.Job{}, err)
				return
			}
			whole := len(l.order)
			start := float64(out.lap) * length
			l.cut(left, until-start)
			if n := len(l.order); n > 0 {
				from, to := 0.0, length
				if out.lap == 0 {
					from = l.order[0].at
				}
				if n < whole || out.lap == laps-1 || int64(n) == left {
					to = l.order[n-1].at
				}
				inner.level(l, from, to)
			}
			left -= int64(len(l.order))
			if !out.write(l, start) || left == 0 {
				return
			}
			if made.Jobs == 0 && out.lap == extent.EmptyLaps {
				yield(workload.Job{}, extent.ErrEmpty)
				return
			}
		}
	})
}

// largeLap is the number of jobs above which laps are drawn one after the other,
// so that memory holds one at a time.
var largeLap = 1e6

// oneByOne draws a lap when it is asked for.
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

// writer yields the jobs of lap after lap.
type writer struct {
	w     *Workload
	made  *Made
	lap   int64
	apps  int64
	yield func(workload.Job, error) bool
}

func (o *writer) write(l *lap, start float64) bool {
	ids := make([][]int64, len(l.people))
	for u := range ids {
		ids[u] = make([]int64, len(l.people[u].jobs))
	}
	apps := make([][]int64, len(l.people))
	first := o.made.Users
	o.made.Users += int64(len(l.people))
	o.lap++
	for _, e := range l.order {
		k := &l.people[e.user].jobs[e.job]
		j := workload.UnknownJob()
		j.Row, j.ID, j.Submit = o.made.Jobs, o.made.Jobs+1, start+k.at
		if o.w.p.m.Unit == population.OfProcessors { // resources have others
			j.Size, j.Processors, j.Allocated = k.size, k.size, k.size
		}
		j.Run, j.User, j.Status = k.run, first+int64(e.user)+1, workload.StatusCompleted
		o.ask(&j, k, &l.people[e.user].templates[k.template], apps, e.user)
		ids[e.user][e.job] = j.ID
		if k.pred != none && ids[e.user][k.pred] > 0 {
			j.Preceding, j.Think = ids[e.user][k.pred], float64(k.think)
		}
		if o.made.Jobs == 0 {
			o.made.First = j.Submit
		}
		o.made.Jobs++
		o.made.Last = j.Submit
		o.made.Area += j.Run * float64(k.size)
		o.made.Facts.Add(&j)
		if !o.yield(j, nil) {
			return false
		}
	}
	return true
}

// ask gives a job what its template asks for. Users have applications of their own,
// numbered as they come.
func (o *writer) ask(j *workload.Job, k *job, t *template, apps [][]int64, user int32) {
	p := o.w.p
	if p.asks[asksTime] {
		if v := p.m.Estimates.Values[int(t.asks[asksTime])]; v > 0 {
			j.Time = v
		}
	}
	if p.asks[asksMemory] {
		if v := p.m.Memory.Values[int(t.asks[asksMemory])]; v > 0 {
			j.Memory = v
		}
	}
	if p.asks[asksQueue] {
		if v := p.m.Queues.Values[int(t.asks[asksQueue])]; v >= 0 {
			j.Queue = int64(v)
		}
	}
	if p.m.Applications.Count > 0 {
		for len(apps[user]) <= int(t.app) {
			apps[user] = append(apps[user], 0)
		}
		if apps[user][t.app] == 0 {
			o.apps++
			apps[user][t.app] = o.apps
		}
		j.Application = apps[user][t.app]
	}
	if p.asks[asksResources] {
		p.has(j, int(t.asks[asksResources]))
	}
	if s := &p.m.Statuses; s.Values != nil {
		if j.Status = s.Values[k.status]; j.Status < 0 {
			j.Status = workload.Unknown
		}
	}
}

// machineKeys are the header's keywords of the machine's size.
var machineKeys = map[population.Unit]string{population.OfProcessors: "MaxProcs", population.OfGPUs: workload.MaxGPUs, population.OfNodes: "MaxNodes"}

// Header returns the header of the generated log, which records how to generate
// it again. by names the program and its version.
func (w *Workload) Header(made *Made, by string) workload.Header {
	var h workload.Header
	m := w.p.m
	h.Add("Version", "2.2")
	h.Add("Computer", "none: a synthetic log for "+strconv.FormatInt(m.Processors, 10)+" "+m.Unit.String())
	h.Add("Conversion", "Loadstone, generate")
	if !w.o.Start.IsZero() {
		h.AddStart(w.o.Start)
	} else if m.Log.Start != 0 {
		h.Add("UnixStartTime", strconv.FormatInt(m.Log.Start, 10))
		if m.Log.Zone != "" {
			h.Add("TimeZoneString", m.Log.Zone)
		}
	}
	h.Add(machineKeys[m.Unit], strconv.FormatInt(m.Processors, 10))
	h.Add("Note", fmt.Sprintf("synthetic: users, sessions and jobs drawn from the model %s with seed %d", strconv.Quote(m.Name), w.o.Seed))
	h.Add("Note", "waits are unknown; preceding job and think time say what a job waits for")
	for _, column := range m.Resources.Columns {
		key := workload.NameKey(workload.ColumnIndex(column.Name))
		for _, n := range slices.Sorted(maps.Keys(column.Names)) {
			h.AddNamed(key, n, column.Names[n])
		}
	}
	h.Complete(made.Facts.Facts(), by)
	return h
}
