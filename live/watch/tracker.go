package watch

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

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
	swept float64 // s, when ended was last cleared of old keys
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
}

func (k *tracked) started() bool { return k.job.Wait >= 0 }

// NewTracker returns a tracker without jobs.
func NewTracker() *Tracker {
	return &Tracker{open: map[string]*tracked{}, ended: map[jobKey]ending{}, last: math.Inf(-1), at: math.Inf(-1), swept: math.Inf(-1)}
}

// Under returns the number of jobs that wait or run.
func (t *Tracker) Under() int { return len(t.open) }

// Replay enters a past event, such as from a journal. Call it in the order in
// which Events returned the events, before the first poll.
func (t *Tracker) Replay(e Event) {
	j, label := e.Job, e.Label
	if label == "" {
		label = labelOf(j)
	}
	t.rows = max(t.rows, j.Row+1)
	t.last, t.at = max(t.last, e.Time), max(t.at, e.Time)
	switch e.Kind {
	case workload.Finish:
		delete(t.open, label)
		// A record of an end has a status.
		t.end(label, j, j.Submit, ending{e.Time, j.Status == workload.Unknown})
		t.sweep()
	default:
		t.open[label] = &tracked{job: j, label: label, submit: j.Submit}
	}
	if e.Kind == workload.Submit && e.Job.Wait >= 0 { // started, but that is another event
		waits := *j
		waits.Wait, waits.Run = math.NaN(), math.NaN()
		t.open[label].job = &waits
	}
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
	d := diff{t: t, p: p, floor: t.at - remembered}
	d.compare()
	events := d.events()
	if n := len(events); n > 0 {
		t.last = events[n-1].Time
	}
	t.at = max(t.at, p.At)
	t.sweep()
	return events
}

// end notes the end of a job, of a started task by its own number too: a log may know it
// by that alone.
func (t *Tracker) end(label string, j *workload.Job, submit float64, e ending) {
	t.ended[jobKey{label, submit}] = e
	if number := labelOf(j); number != label && j.Wait >= 0 {
		t.ended[jobKey{number, submit}] = e
	}
}

// endedBefore returns the end of a job that has been shown.
func (t *Tracker) endedBefore(s *Sighting) (ending, bool) {
	e, ok := t.ended[jobKey{s.Label, s.Submit}]
	if !ok && (s.Asked == nil || s.Asked.Array != s.ID) { // else it is that of other tasks
		e, ok = t.ended[jobKey{labelOf(&s.Job), s.Submit}]
	}
	return e, ok
}

// sweep forgets, now and then, the jobs that ended long ago.
func (t *Tracker) sweep() {
	if t.at-t.swept < remembered/8 {
		return
	}
	t.swept = t.at
	for key, end := range t.ended {
		if end.at < t.at-remembered {
			delete(t.ended, key)
		}
	}
}
