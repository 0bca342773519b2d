package watch

import (
	"cmp"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Event is one thing that happened to one job.
//
// A job has a Submit event, then a Start event where it started, then a Finish event.
// The Finish of a job that never started, whose Job.Wait is NaN, is its withdrawal.
type Event struct {
	Kind workload.EventKind
	// Time is when it happened, s. It does not decrease from event to event: a
	// past event that a poll shows late has the time of the event before it,
	// and one in the future the time of the poll. Job has the machine's own
	// times.
	Time float64
	// Job is the job as it was known when the poll was taken. It must not be
	// changed, and stays valid. Job.Row numbers the jobs of a tracker from 0
	// and is the same in all events of a job, and in its sightings.
	Job   *workload.Job
	Label string // see Sighting.Label
	// Guessed reports that the job disappeared without a record of its end: Time
	// is that of the first poll without it, at which Job.Run of a started job
	// ends.
	Guessed bool
	// Again reports that the job had been counted as gone and is back: an
	// earlier answer about it was already settled or censored. Only Submit
	// events have it.
	Again bool
}

// Withdrawal reports whether the event is the end of a job that never started.
func (e *Event) Withdrawal() bool { return e.Kind == workload.Finish && !(e.Job.Wait >= 0) }

const (
	// missedPolls is how many polls in a row a job is to be missing before it
	// counts as gone: one that started and ended between two polls may be in
	// neither list while the accounting database is behind.
	missedPolls = 2
	// remembered is how long a tracker knows the jobs that have ended, s: lists of
	// ended jobs may go back so far.
	remembered = 24 * 3600
)

// Tracker turns polls into events. It holds the waiting and running jobs and
// the keys of those that ended within a day. A Tracker is used by one
// goroutine.
type Tracker struct {
	open  map[string]*tracked // by label
	ended map[jobKey]ending
	rows  int64   // jobs so far
	last  float64 // s, time of the last event
	at    float64 // s, of the last poll
	polls int64
}

// jobKey tells jobs apart: schedulers use a number again, at the latest when a job is
// requeued. The tasks of an array that wait share a number, and get another when they
// start; their labels stay.
type jobKey struct {
	label  string
	submit float64
}

// ending is the end of a job.
type ending struct {
	at   float64 // s
	lost bool    // without a record of it: the job may come back
}

// tracked is a job that waits or runs.
type tracked struct {
	job    *workload.Job
	label  string
	submit float64 // as the machine has it; job.Submit is later after a requeue that kept it
	seen   int64   // the last poll that showed it
	missed int     // polls in a row without it
	gone   float64 // s, the first of them

	news []Event   // of the present poll
	in   *Sighting // that showed it first; nil in later polls
}

func (k *tracked) started() bool { return k.job.Wait >= 0 }

// labelOf is the name of a job without a label.
func labelOf(j *workload.Job) string {
	if j.ID == workload.Unknown {
		return ""
	}
	return strconv.FormatInt(j.ID, 10)
}

// NewTracker returns a tracker without jobs.
func NewTracker() *Tracker {
	return &Tracker{open: map[string]*tracked{}, ended: map[jobKey]ending{}, last: math.Inf(-1), at: math.Inf(-1)}
}

// Replay enters a past event, such as from a journal. Call it in the order in
// which Events returned the events, before the first poll.
func (t *Tracker) Replay(e Event) {
	label := cmp.Or(e.Label, labelOf(e.Job))
	k := &tracked{job: e.Job, label: label, submit: e.Job.Submit}
	t.rows = max(t.rows, e.Job.Row+1)
	t.last, t.at = max(t.last, e.Time), max(t.at, e.Time)
	switch {
	case e.Kind == workload.Finish:
		delete(t.open, label)
		// A record of an end has a status.
		t.end(k, ending{e.Time, e.Job.Status == workload.Unknown})
		return
	case e.Kind == workload.Submit && k.started(): // but that is another event
		waits := *e.Job
		waits.Wait, waits.Run = math.NaN(), math.NaN()
		k.job = &waits
	}
	t.open[label] = k
}

// end notes the end of a job, of a started task by its own number too: a log may know it
// by that alone.
func (t *Tracker) end(k *tracked, e ending) {
	t.ended[jobKey{k.label, k.submit}] = e
	if k.started() {
		t.ended[jobKey{labelOf(k.job), k.submit}] = e
	}
}

// endedBefore returns the end of a job that has been shown.
func (t *Tracker) endedBefore(s *Sighting) (ending, bool) {
	e, ok := t.ended[jobKey{s.Label, s.Submit}]
	if !ok && s.Array != s.ID { // else it is that of other tasks
		e, ok = t.ended[jobKey{labelOf(&s.Job), s.Submit}]
	}
	return e, ok
}

// Events returns what happened since the last poll, in order of time, and sets
// the Row of the poll's sightings, to -1 for those that are not followed. The
// result depends only on the polls.
//
//   - A job that is first seen running or ended has all its events.
//   - A job that disappears without a trace counts as gone after two polls in a row
//     without it. If it is shown again later it has a second submission
//     (Event.Again).
//   - A job whose number comes back with a later submission was requeued: its run
//     ended then. So does one that waits again after it ran, whose second
//     submission is the moment of the poll.
//   - A job in both lists has ended.
func (t *Tracker) Events(p *Poll) []Event {
	t.polls++
	d := diff{Tracker: t, p: p}
	for i := range p.Ended {
		if s := &p.Ended[i]; d.numbered(s) && !s.Tasks {
			d.over(s)
		}
	}
	for i := range p.Jobs {
		if s := &p.Jobs[i]; d.numbered(s) {
			d.present(s)
		}
	}
	for i := range p.Ended {
		if s := &p.Ended[i]; s.Tasks {
			d.cancelled(s)
		}
	}
	if !p.Partial {
		d.missing()
	}
	d.warn("shared-id", "jobs that have the number of another job: only the first is followed", d.same)
	d.warn("no-job-number", "jobs without a number or a submission time: they are not followed", d.lost)
	events := d.events()
	if n := len(events); n > 0 {
		t.last = events[n-1].Time
	}
	t.at = max(t.at, p.At)
	for key, end := range t.ended {
		if end.at < t.at-remembered {
			delete(t.ended, key)
		}
	}
	return events
}
