package population

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	day  = 86400.0 // s
	week = 7 * day
)

// fitter collects the jobs of a log and fills the model step by step.
type fitter struct {
	m      population.Model
	header *workload.Header
	odd    workload.Warnings

	jobs         []*job    // sorted by submission in track
	people       []*person // sorted by decreasing work in users
	noUser       int64
	combinations combinations

	clock    workload.Clock
	midnight float64 // s, the midnight before the first job
	// The model covers a whole number of periods, which are weeks or, in a short log, days. Its
	// length is periods*period or scale*span, where span is the time from the first submission to
	// the last, in seconds.
	first, span, period, periods, scale float64
}

// Fit fits a model to the jobs of a log. Sizes are in processors or, in a log without processors,
// in GPUs or nodes, whichever more jobs have. processors is the size of the machine in that unit;
// 0 means the size in the header or, without one, that of the largest job. A negative number is a
// *workload.OptionError. The header may be empty, but not nil.
//
// The warnings count the jobs left out and state assumptions. Their rules are "no-submission",
// "no-run-time", "long-run-time", "no-size", "large-size", "too-large", "no-user", "no-waits",
// "size-unit", "no-processors", "left-out-columns", "one-job-users", "few-jobs", "long-gap",
// "short-log", workload.StartsRule.
func Fit(ctx context.Context, jobs workload.JobSeq, header *workload.Header, name string, processors int64) (population.Model, []workload.Warning, error) {
	if processors < 0 {
		return population.Model{}, nil, workload.OptionFault("processors", processors, "1 or more, or 0 for those of the header")
	}
	f := fitter{header: header, combinations: newCombinations(), m: population.Model{Schema: population.Schema, Name: name, Processors: processors}}
	err := f.fit(workload.Until(ctx, jobs))
	if err == nil {
		err = f.m.Validate()
	}
	if err != nil {
		return population.Model{}, f.odd.List(), err
	}
	return f.m, f.odd.List(), nil
}

// fit runs the steps listed in the package documentation, in that order. Each fills its part of
// the model and sets scores of jobs that later steps read.
func (f *fitter) fit(jobs workload.JobSeq) error {
	for j, err := range jobs {
		if err != nil {
			return err
		}
		f.add(&j)
	}
	if err := f.measure(); err != nil {
		return err
	}
	f.track()
	if err := f.time(); err != nil {
		return err
	}
	f.load()
	f.cycle()
	f.sizes()
	f.runTimes()
	f.waits()
	f.gaps()
	f.requests()
	f.users()
	return nil
}

// measure chooses the unit of sizes and the machine's size, and leaves out the jobs without a
// size in this unit. The unit is processors or, in a log without processors, GPUs or nodes,
// whichever more jobs have (GPUs if equal).
func (f *fitter) measure() error {
	m := &f.m
	if !slices.ContainsFunc(f.jobs, func(j *job) bool { return j.size > 0 }) {
		most := 0
		for _, unit := range []population.Unit{population.OfGPUs, population.OfNodes} {
			n, taken := 0, f.combinations.taken(unit)
			for _, j := range f.jobs {
				if taken[j.combination] > 0 {
					n++
				}
			}
			if n <= most {
				continue
			}
			most, m.Unit = n, unit
			for _, j := range f.jobs {
				j.size = taken[j.combination]
			}
		}
	}
	f.keep("no-size", "size unknown", func(j *job) bool { return j.size >= 1 && j.size <= population.MaxProcessors })
	if len(f.jobs) == 0 {
		return fmt.Errorf("nothing to fit: %w with submission, size and run time", workload.ErrNoJobs)
	}
	if f.noUser > 0 {
		f.odd.Count(workload.Warning{Rule: "no-user", Count: f.noUser, Text: "jobs without a user: those of one week are taken as one user's"})
	}
	if m.Unit != population.OfProcessors {
		f.warn("size-unit", "the log has no processors: the sizes of the model are %s, and so are the machine's", m.Unit)
	}
	if !slices.ContainsFunc(f.jobs, func(j *job) bool { return j.wait >= 0 }) {
		f.warn("no-waits", "the log has no waits: no job of the model waits for another ('simulate' computes waits)")
	}
	if m.Processors == 0 && m.Unit == population.OfProcessors {
		m.Processors, _ = f.header.Processors()
	} else if m.Processors == 0 {
		m.Processors, _ = f.header.Int(m.Unit.Key())
	}
	if m.Processors < 1 {
		for _, j := range f.jobs {
			m.Processors = max(m.Processors, j.size)
		}
		f.warn("no-processors", "the header lacks the number of %s of the machine: loads assume %d, the size of the largest job; --procs sets it", m.Unit, m.Processors)
	}
	if others := f.combinations.others.Written()[workload.FirstOptional:]; len(others) > 0 {
		f.warn("left-out-columns", "columns not in the model: %s", strings.Join(workload.ColumnNames(others), ", "))
	}
	f.keep("too-large", "larger than the machine", func(j *job) bool { return j.size <= m.Processors })
	if len(f.jobs) == 0 {
		return &workload.OptionError{Option: "processors", Saw: fmt.Sprint(m.Processors), Want: "more: every job is larger"}
	}
	return nil
}

func (f *fitter) warn(rule, text string, args ...any) {
	f.odd.Add(rule, fmt.Sprintf(text, args...), 0, "")
}

// time sets the length and the offered load of the model, and warns of logs that may not
// represent a site.
func (f *fitter) time() error {
	m, n := &f.m, len(f.jobs)
	starts := workload.NewStartsWatch(m.Processors)
	f.first = f.jobs[0].submit
	work, gap, last := 0.0, 0.0, f.first
	for _, j := range f.jobs {
		starts.Add(j.submit, j.wait, j.run, j.size)
		work += j.work()
		gap, last = max(gap, j.submit-last), j.submit
	}
	for _, w := range starts.Warnings() {
		f.odd.Count(w)
	}
	f.span = last - f.first
	switch {
	case !(f.span > 0):
		return errors.New("nothing to fit: all jobs are submitted at one moment")
	case !(work > 0):
		return errors.New("nothing to fit: all run times are 0 s")
	}
	f.period = week
	if f.span < 3*week {
		f.period = day
		f.warn("short-log", "the log has less than three weeks: the model has hours of the day, not of the week")
	}
	f.periods = max(1, math.Round(f.span/f.period))
	f.scale = f.periods * f.period / f.span
	// Some parts of the model take memory by the week.
	days := f.periods * f.period / day
	if days > population.MaxDays {
		return fmt.Errorf("the log spans %.4g days, want at most %d: the first job is submitted at %.9g s, the last at %.9g s ('sample' takes the days between two dates)", days, population.MaxDays, f.first, last)
	}
	f.clock, _ = f.header.Clock()
	var start time.Time
	start, f.midnight = f.dayOf(f.first)
	m.Log = population.Log{
		About: "offered load is from the first submission to the last; the length is rounded to whole weeks, or to whole days for a short log, and the number of jobs scaled to match",
		Days:  days, Jobs: max(1, int64(math.Round(float64(n)*f.scale))), Load: population.Short(work / f.span / float64(m.Processors)),
	}
	if f.clock.Known {
		monday := time.Date(start.Year(), start.Month(), start.Day()-weekday(start), 0, 0, 0, 0, start.Location())
		m.Log.Start, m.Log.Zone = monday.Unix(), f.header.Get("TimeZoneString")
	}
	users, single := len(f.people), 0
	for _, p := range f.people {
		if len(p.jobs) == 1 {
			single++
		}
	}
	if users > 1 && 10*single > 9*users {
		f.warn("one-job-users", "%d of %d users have one job: the model has no sessions, and a user's jobs are not alike (does the log have the right users?)", single, users)
	}
	const leastJobs, leastDays = 100, 7 // a smaller log does not represent a site
	if n < leastJobs || f.span/day < leastDays {
		f.warn("few-jobs", "the model is of %d jobs of %d users in %.2g days: too few to represent a site (want %d jobs or more, in a week or more)", n, users, f.span/day, leastJobs)
	}
	if gap > f.span/4 && gap > week {
		f.warn("long-gap", "no job is submitted for %.0f consecutive days of the log's %.0f, as when a clock jumps: the model spreads its users over all days ('split --at' cuts a log at dates)", gap/day, f.span/day)
	}
	return nil
}

// dayOf converts at, in seconds of the log, to the site's local time. It also returns the
// midnight before it, in seconds of the log.
func (f *fitter) dayOf(at float64) (moment time.Time, midnight float64) {
	moment = f.clock.At(at)
	h, m, s := moment.Clock()
	return moment, at - float64(3600*h+60*m+s)
}

// weekday returns the day of the week, from 0 for Monday to 6 for Sunday.
func weekday(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }
