package resample

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/extent"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Twin is a log made from another one. Close it after use.
type Twin struct {
	o          Options
	source     *source
	factor     float64
	processors int64
	odd        workload.Warnings
}

// New reads a log to its end and prepares a twin of it. An invalid option is a
// *workload.OptionError, a log without jobs is workload.ErrNoJobs; other errors are those
// of the log.
//
// Warnings may contain "no-submit-time" (jobs left out), "no-user", "one-user",
// "short-log", "no-work", "no-waits" (no job has a dependency) and workload.StartsRule.
func New(ctx context.Context, jobs workload.JobSeq, header workload.Header, o Options) (*Twin, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	t := &Twin{o: o}
	clock, _ := header.Clock()
	var err error
	if t.processors = o.Processors; t.processors == 0 {
		t.processors, _ = header.Processors()
	}
	own, _ := header.Processors() // of the log's machine
	starts := workload.NewStartsWatch(cmp.Or(own, t.processors))
	if t.source, err = readSource(starts.Watch(workload.Until(ctx, jobs)), clock, &t.odd); err != nil {
		return nil, err
	}
	for _, w := range starts.Warnings() {
		t.odd.Count(w)
	}
	if t.factor, err = o.factor(t.source, t.processors); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Close frees memory and temporary files.
func (t *Twin) Close() error { return t.source.jobs.Close() }

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
		*made = Made{source: t.source}
		w := writer{Twin: t, made: made, last: math.Inf(-1), left: math.MaxInt64, yield: yield}
		laps, rest := int64(1), 0.0 // whole laps, and seconds of another one
		switch {
		case t.o.Days > 0:
			laps = int64(t.o.Days * day / t.source.span)
			rest = t.o.Days*day - float64(laps)*t.source.span
		case t.o.Jobs > 0:
			laps, w.left = math.MaxInt64, t.o.Jobs
			if l := t.first(0, nil, t.o.Jobs, 0); l != nil {
				w.write(l)
				return
			}
		}
		for l, err := range par.Map(t.o.Workers, par.Numbers(ctx, laps), func(n int64) (*lap, error) { return t.lap(n, t.o.Days == 0 && t.o.Jobs == 0), nil }, nil) {
			if err != nil {
				yield(workload.Job{}, err)
				return
			}
			if int64(len(l.entries)) > w.left {
				l = t.first(l.number, l, w.left, w.id)
			}
			if !w.write(l) || w.left == 0 {
				return
			}
			if w.id == 0 && l.number == extent.EmptyLaps {
				yield(workload.Job{}, errEmpty)
				return
			}
		}
		if rest > 0 {
			w.write(t.part(laps, rest, 1))
		}
	})
}

// errEmpty reports that a twin of a number of jobs would have none for ever.
var errEmpty = fmt.Errorf("%w, or a longer log", extent.ErrEmpty)

// first makes the beginning of a lap: n jobs at the lap's load. It tries several lengths
// and takes the one whose load is nearest after the excess jobs have been removed; the jobs
// before the lap count too. whole is the complete lap, or nil if it has not been made.
// Without it, first returns nil unless the lap has far more than n jobs.
func (t *Twin) first(number int64, whole *lap, n, before int64) *lap {
	if t.o.still {
		return whole
	}
	span, jobs := t.source.span, t.factor*float64(len(t.source.row))
	switch {
	case whole != nil:
		jobs = float64(len(whole.entries))
	case float64(n) > jobs/2:
		return nil
	}
	window := span * float64(n) / jobs
	var best *lap
	least, scale := math.Inf(1), 1.0
	for range 24 {
		l := t.part(number, min(window, span), scale)
		jobs := int64(len(l.entries))
		if jobs >= n {
			t.thin(l, int(jobs-n))
			share := t.share(l)
			if share == 0 {
				return l // of one moment, which has no load
			}
			got := t.source.workOf(l) / share
			off := math.Abs(got - 1)
			nearer := off < least
			if best == nil || nearer {
				best, least = l, off
			}
			if least*float64(n)/float64(n+before) < .002 {
				break
			}
			if scale = max(.5, min(2, scale/got)); nearer {
				continue // the same users, and what was taken out made up for
			}
		}
		if window >= span && jobs < n {
			break
		}
		window *= max(.5, min(2, 1.01*float64(n)/max(.5, float64(jobs))))
	}
	if best == nil && whole != nil {
		t.thin(whole, len(whole.entries)-int(n))
		return whole
	}
	return best
}

// writer yields the jobs of lap after lap.
type writer struct {
	*Twin
	made  *Made
	left  int64   // jobs to write
	last  float64 // submission of the last one
	id    int64
	ids   []int64 // by slot of the lap
	yield func(workload.Job, error) bool
}

// write yields a lap's jobs. It is false after the last.
func (w *writer) write(l *lap) bool {
	s := w.source
	if cap(w.ids) < l.slots {
		w.ids = make([]int64, l.slots)
	}
	w.ids = w.ids[:l.slots]
	clear(w.ids)
	for i := range l.members {
		if s.users[l.members[i].user].id != workload.Unknown {
			w.made.Users++
		}
	}
	users := int64(mostMembers(w.factor)) * int64(len(s.users)) // numbers of a lap
	for _, e := range l.entries {
		if w.left == 0 {
			return false
		}
		held, err := s.jobs.at(s.row[e.job])
		if err != nil {
			w.yield(workload.Job{}, err)
			return false
		}
		j := *held
		m := &l.members[e.member]
		j.Row = w.id
		w.id++
		w.left--
		w.ids[e.slot] = w.id
		w.last = max(w.last, e.submit) // the end of a lap may fall into an hour that the clocks repeat
		j.ID, j.Wait = w.id, math.NaN()
		j.MoveTo(w.last)
		j.Preceding, j.Think = workload.Unknown, math.NaN()
		if e.before != none && w.ids[e.before] > 0 { // 0 was taken out
			j.Preceding, j.Think = w.ids[e.before], float64(s.think[e.job])
		}
		if j.User != workload.Unknown && (l.number > 0 || m.copy > 0) {
			j.User = s.lastUser + 1 + l.number*users + int64(e.member)
		}
		w.made.add(&j, held.Submit, s.work[e.job], l.number)
		if !w.yield(j, nil) {
			return false
		}
	}
	return true
}
