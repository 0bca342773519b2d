package resample

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/extent"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options describe the twin to make. The zero value makes a twin of the log's length and load. At
// most one of Days and Jobs, and at most one of Load and UsersFactor, may be set.
type Options struct {
	Days float64 `opt:"days" in:"(0,3652425]" not:"jobs"` // length in days
	Jobs int64   `opt:"jobs" in:"[1,)"`                   // number of jobs

	// Load is the offered load to reach on Processors by adding or removing users. UsersFactor is
	// the load to reach as a multiple of the log's, above 0 and at most extent.MaxFactor.
	Load        float64 `opt:"load" in:"(0,100]"`
	UsersFactor float64
	Processors  int64 `opt:"procs" in:"[1,)"` // of the machine; 0 means the header's value

	Seed    uint64
	Workers int    // goroutines, 0 for one per core; the result does not depend on it
	By      string // program and version, for the header

	still bool // for tests: users are not moved
}

// Twin is a log made from another one.
type Twin struct {
	o Options
	source
	factor     float64 // load in multiples of the log's
	processors int64
}

// New reads a log to its end and prepares a twin of it. An invalid option is a
// *workload.OptionError, a log without jobs is workload.ErrNoJobs; other errors are those
// of the log.
//
// Warnings may contain "no-submit-time" (jobs left out), "no-user", "one-user",
// "short-log", "no-work", "no-waits" (no job has a dependency), "waits-vary" and
// workload.StartsRule.
func New(ctx context.Context, jobs workload.JobSeq, header workload.Header, o Options) (*Twin, error) {
	switch err := opt.Check(&o); {
	case err != nil:
		return nil, err
	case o.UsersFactor != 0 && !(o.UsersFactor > 0 && o.UsersFactor <= extent.MaxFactor):
		return nil, workload.OptionFault("load", o.UsersFactor, "a multiple of the log's above 0, at most %d", extent.MaxFactor)
	case o.Load != 0 && o.UsersFactor != 0:
		return nil, workload.OptionFault("load", o.Load, "a load or a multiple of the log's, not both")
	}
	own, _ := header.Processors() // of the log's machine
	t := &Twin{o: o, processors: cmp.Or(o.Processors, own)}
	t.zone.clock, _ = header.Clock()
	starts := workload.NewStartsWatch(cmp.Or(own, t.processors))
	err := t.read(workload.Each(workload.Until(ctx, jobs), starts.AddJob))
	for _, w := range starts.Warnings() {
		t.odd.Count(w)
	}
	if err == nil {
		t.factor, err = t.loadFactor()
	}
	if err != nil {
		return nil, err
	}
	t.warnIfWaitsVary()
	return t, nil
}

// loadFactor returns the load of the twin in multiples of the log's.
func (t *Twin) loadFactor() (float64, error) {
	load, now := t.o.Load, t.Load()
	switch {
	case load == 0:
		return cmp.Or(t.o.UsersFactor, 1), nil
	case t.processors < 1:
		return 0, workload.OptionFault("load", fmt.Sprintf("%g on a machine of unknown size", load), "`procs` too: the header has neither MaxProcs nor MaxNodes")
	case math.IsNaN(now) || math.IsInf(now, 0):
		return 0, workload.OptionFault("load", fmt.Sprintf("%g, and the log's own load is unknown", load), "a log with sizes and run times, submitted at two moments at least")
	case !(load/now <= extent.MaxFactor):
		return 0, workload.OptionFault("load", fmt.Sprintf("%g, and the log's is %.3g", load, now), "at most %d times the log's", extent.MaxFactor)
	}
	return load / now, nil
}

// Warnings returns the warnings about the log.
func (t *Twin) Warnings() []workload.Warning { return t.odd.List() }

// Jobs yields the jobs of the twin by submission. They are the log's jobs moved in time,
// with these differences: ID counts from 1; User is the log's number for the first copy of
// a user and a new, larger number for other copies; Wait is unknown, since it came from
// another schedule; Preceding and Think give the job's dependency.
func (t *Twin) Jobs(ctx context.Context) workload.JobSeq { return t.Counted(ctx, new(Made)) }

// Counted is like Jobs, and also counts the jobs in made.
func (t *Twin) Counted(ctx context.Context, made *Made) workload.JobSeq {
	return workload.Until(ctx, func(yield func(workload.Job, error) bool) {
		*made = Made{source: &t.source}
		w := writer{Twin: t, made: made, last: math.Inf(-1), left: math.MaxInt64, yield: yield}
		laps, rest := int64(1), 0.0 // whole laps, and seconds of another one
		switch {
		case t.o.Days > 0:
			laps = int64(t.o.Days * day / t.span)
			rest = t.o.Days*day - float64(laps)*t.span
		case t.o.Jobs > 0:
			laps, w.left = math.MaxInt64, t.o.Jobs
			if l := t.first(0, nil, t.o.Jobs, 0); l != nil {
				w.write(l)
				return
			}
		}
		whole := func(n int64) (*lap, error) { return t.whole(n), nil }
		for l, err := range par.Map(t.o.Workers, par.Numbers(ctx, laps), whole, nil) {
			if err != nil {
				yield(workload.Job{}, err)
				return
			}
			if int64(len(l.entries)) > w.left {
				l = t.first(l.number, l, w.left, made.Jobs)
			}
			if !w.write(l) || w.left == 0 {
				return
			}
			if made.Jobs == 0 && l.number == extent.EmptyLaps {
				yield(workload.Job{}, errEmpty)
				return
			}
		}
		if rest > 0 {
			w.write(t.part(laps, rest, 1))
		}
	})
}

// errEmpty is the error for a twin with a given number of jobs whose laps all remain empty.
var errEmpty = fmt.Errorf("%w, or a longer log", extent.ErrEmpty)

// writer yields the jobs of lap after lap.
type writer struct {
	*Twin
	made  *Made
	left  int64   // number of jobs still to write
	last  float64 // submission of the last one
	yield func(workload.Job, error) bool
}

// write yields a lap's jobs. It returns false after the last job of the twin, or if the caller
// stops.
func (w *writer) write(l *lap) bool {
	ids := make([]int64, l.slots) // by slot; 0 for jobs that are not written
	for i := range l.members {
		if w.users[l.members[i].user].id != workload.Unknown {
			w.made.Users++
		}
	}
	users := int64(mostMembers(w.factor)) * int64(len(w.users)) // user numbers per lap
	for _, e := range l.entries {
		if w.left == 0 {
			return false
		}
		of, m := &w.list[e.job], &l.members[e.member]
		j := w.jobs.at(of.row)
		before := j.Submit
		w.left--
		w.last = max(w.last, e.submit) // the end of a lap may fall into an hour that the clocks repeat
		j.Row, j.ID, j.Wait = w.made.Jobs, w.made.Jobs+1, math.NaN()
		ids[e.slot] = j.ID
		j.MoveTo(w.last)
		j.Preceding, j.Think = workload.Unknown, math.NaN()
		if e.before != none && ids[e.before] > 0 {
			j.Preceding, j.Think = ids[e.before], float64(of.think)
		}
		if j.User != workload.Unknown && (l.number > 0 || m.copy > 0) {
			j.User = w.lastUser + 1 + l.number*users + int64(e.member)
		}
		w.made.add(&j, before, of.work, l.number)
		if !w.yield(j, nil) {
			return false
		}
	}
	return true
}
