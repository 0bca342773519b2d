package watch

import (
	"cmp"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Event is an event of one job.
//
// A job has a Submit event, then a Start event if it started, then a Finish event.
// The Finish of a job that never started, whose Job.Wait is NaN, is its withdrawal.
type Event struct {
	Kind workload.EventKind
	// Time is the time of the event in seconds. It does not decrease from event to
	// event: a past event that a poll shows late has the time of the event before
	// it, and one in the future the time of the poll. Job has the times recorded by
	// the machine.
	Time float64
	// Job is the job as known at the time of the poll. It must not be changed, and
	// remains valid. Job.Row numbers the jobs of a Tracker from 0
	// and is the same in all events of a job, and in its sightings.
	Job   *workload.Job
	Label string // see Sighting.Label
	// Guessed reports that the job disappeared without a record of its end. Time,
	// and the end of Job.Run of a started job, is then the time of the first poll
	// without the job.
	Guessed bool
	// Again reports that the job had been counted as gone and is back, so that
	// an earlier answer about it has already been settled or censored. It is set
	// only in Submit events.
	Again bool
}

// Withdrawal reports whether the event is the end of a job that never started.
func (e *Event) Withdrawal() bool { return e.Kind == workload.Finish && !(e.Job.Wait >= 0) }

const (
	// missedPolls is the number of polls in a row after which a missing job
	// counts as gone. A job that started and ended between two polls may be in
	// neither list while the accounting database lags.
	missedPolls = 2
	// remembered is the time, in seconds, for which a Tracker remembers jobs that have
	// ended. Lists of ended jobs may go back that far.
	remembered = 24 * 3600
)

// Tracker converts polls to events. It holds the waiting and running jobs and
// the keys of those that ended within a day. A Tracker is not safe for concurrent
// use.
type Tracker struct {
	open  map[string]*tracked // by label
	ended map[jobKey]ending
	rows  int64   // number of jobs so far
	last  float64 // s, time of the last event
	at    float64 // s, of the last poll
	polls int64
}

// jobKey identifies a job. A number is not enough, because schedulers reuse numbers,
// for example when a job is requeued. The waiting tasks of an array share a number, and
// each gets another when it starts; their labels do not change.
type jobKey struct {
	label  string
	submit float64
}

// ending is the end of a job.
type ending struct {
	at   float64 // s
	lost bool    // there is no record of it, and the job may come back
}

// tracked is a waiting or running job.
type tracked struct {
	job    *workload.Job
	label  string
	submit float64 // as recorded by the machine; job.Submit is later after a requeue that kept it
	seen   int64   // number of the last poll that showed it
	missed int     // number of polls in a row without it
	gone   float64 // s, time of the first of these polls

	news []Event   // from the present poll
	in   *Sighting // the first sighting, in the poll that showed it; nil in later polls
}

func (k *tracked) started() bool { return k.job.Wait >= 0 }

// labelOf returns the label of a job without one: its number, or "" if that is unknown.
func labelOf(j *workload.Job) string {
	if j.ID == workload.Unknown {
		return ""
	}
	return strconv.FormatInt(j.ID, 10)
}

// NewTracker returns a Tracker without jobs.
func NewTracker() *Tracker {
	return &Tracker{open: map[string]*tracked{}, ended: map[jobKey]ending{}, last: math.Inf(-1), at: math.Inf(-1)}
}

// Replay restores a past event, such as one from a journal. It must be called before
// the first poll, in the order in which Events returned the events.
func (t *Tracker) Replay(e Event) {
	label := cmp.Or(e.Label, labelOf(e.Job))
	k := &tracked{job: e.Job, label: label, submit: e.Job.Submit}
	t.rows = max(t.rows, e.Job.Row+1)
	t.last, t.at = max(t.last, e.Time), max(t.at, e.Time)
	switch {
	case e.Kind == workload.Finish:
		delete(t.open, label)
		// If there was a record of the end, the status is known.
		t.end(k, ending{e.Time, e.Job.Status == workload.Unknown})
		return
	case e.Kind == workload.Submit && k.started(): // its start is a separate event
		waits := *e.Job
		waits.Wait, waits.Run = math.NaN(), math.NaN()
		k.job = &waits
	}
	t.open[label] = k
}

// end records the end of a job. If it has started, the end is also recorded under its own
// number, because a list of ended jobs may not contain the label.
func (t *Tracker) end(k *tracked, e ending) {
	t.ended[jobKey{k.label, k.submit}] = e
	if k.started() {
		t.ended[jobKey{labelOf(k.job), k.submit}] = e
	}
}

// endedBefore returns the recorded end of a sighting's job, and whether there is one.
func (t *Tracker) endedBefore(s *Sighting) (ending, bool) {
	e, ok := t.ended[jobKey{s.Label, s.Submit}]
	if !ok && s.Array != s.ID { // otherwise the number is shared with other tasks
		e, ok = t.ended[jobKey{labelOf(&s.Job), s.Submit}]
	}
	return e, ok
}

// Events returns the events since the last poll, in order of time, and sets
// the Row of the poll's sightings (-1 for those that are not followed). The
// result depends only on the polls.
//
//   - A job that is first seen running or ended has all its events.
//   - A job that disappears without a record of its end counts as gone after two polls
//     in a row without it. If it is shown again later it has a second submission
//     (Event.Again).
//   - A job whose number reappears with a later submission was requeued: its previous
//     run ended at that time. The same applies to a job that waits again after it ran;
//     its second submission is at the time of the poll.
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
