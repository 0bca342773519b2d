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
	open  map[int64]*tracked // by the job's number
	ended map[jobKey]ending
	rows  int64   // jobs so far
	last  float64 // s, time of the last event
	at    float64 // s, of the last poll
	swept float64 // s, when ended was last cleared of old keys
	polls int64
}

// jobKey tells jobs apart: schedulers use a number again, at the latest when a job is
// requeued.
type jobKey struct {
	id     int64
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
	return &Tracker{open: map[int64]*tracked{}, ended: map[jobKey]ending{}, last: math.Inf(-1), at: math.Inf(-1), swept: math.Inf(-1)}
}

// Under returns the number of jobs that wait or run.
func (t *Tracker) Under() int { return len(t.open) }

// Replay enters a past event, such as from a journal. Call it in the order in
// which Events returned the events, before the first poll.
func (t *Tracker) Replay(e Event) {
	j := e.Job
	t.rows = max(t.rows, j.Row+1)
	t.last, t.at = max(t.last, e.Time), max(t.at, e.Time)
	switch e.Kind {
	case workload.Finish:
		delete(t.open, j.ID)
		// A record of an end has a status.
		t.ended[jobKey{j.ID, j.Submit}] = ending{e.Time, j.Status == workload.Unknown}
		t.sweep()
	default:
		t.open[j.ID] = &tracked{job: j, label: e.Label, submit: j.Submit}
	}
	if e.Kind == workload.Submit && e.Job.Wait >= 0 { // started, but that is another event
		waits := *j
		waits.Wait, waits.Run = math.NaN(), math.NaN()
		t.open[j.ID].job = &waits
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
