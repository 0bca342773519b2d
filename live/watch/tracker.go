package watch

import (
	"cmp"
	"math"
	"slices"
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

// diff is the comparison of one poll with what a tracker knows.
type diff struct {
	*Tracker
	p       *Poll
	changed []*tracked         // those with news
	numbers map[int64]*tracked // see task; nil before it is needed
	same    int64              // sightings of a job that this poll has shown already
	lost    int64              // sightings without a number or a submission
}

func (d *diff) warn(rule, text string, count int64) {
	if count > 0 {
		d.p.Warnings = append(d.p.Warnings, workload.Warning{Rule: rule, Text: text, Count: count})
	}
}

func (d *diff) numbered(s *Sighting) bool {
	s.Row = -1 // until it is known
	if s.ID == workload.Unknown || math.IsNaN(s.Submit) || math.IsInf(s.Submit, 0) {
		d.lost++
		return false
	}
	s.Label = cmp.Or(s.Label, labelOf(&s.Job))
	if s.Wait < 0 { // by clocks that differ
		s.Wait = 0
	}
	return true
}

// over takes a job that has ended.
func (d *diff) over(s *Sighting) {
	k := d.open[s.Label]
	if k == nil {
		if k = d.task(s); k != nil {
			s.Label = k.label
		}
	}
	if k != nil && k.submit == s.Submit {
		s.Row = k.job.Row
		if k.job.Submit > k.submit && !s.Pending() && s.Start() < k.job.Submit {
			return // its run before it was requeued
		}
		d.close(k, s)
		return
	}
	end := endOf(s, s.Submit)
	if _, before := d.endedBefore(s); before || end < d.at-remembered { // which was seen in its time
		return
	}
	if k != nil && k.submit < s.Submit {
		d.finish(k, s.Submit, false)
	}
	k = d.arrive(s)
	if k.started() && !(s.Run >= 0) {
		end = d.p.At
		k.job.Run = max(0, end-k.job.Start())
	}
	d.tell(k, workload.Finish, end)
	d.forget(k, ending{at: endOf(s, s.Submit)})
}

// task returns the open task of an array, or part of a job, that a log knows by its own
// number alone; nil for none.
func (d *diff) task(s *Sighting) *tracked {
	if d.numbers == nil {
		d.numbers = map[int64]*tracked{}
		for label, k := range d.open {
			if label != labelOf(k.job) && k.started() {
				if d.numbers[k.job.ID] != nil { // one number for all tasks
					k = &tracked{submit: math.NaN()}
				}
				d.numbers[k.job.ID] = k
			}
		}
	}
	if k := d.numbers[s.ID]; k != nil && k.submit == s.Submit && s.Label == labelOf(&s.Job) {
		return k
	}
	return nil
}

// cancelled ends the tasks of an array that waited. Those that no poll saw teach nothing.
func (d *diff) cancelled(s *Sighting) {
	for label, k := range d.open {
		if s.Array != workload.Unknown && k.job.Array == s.Array && k.submit == s.Submit && !k.started() {
			d.close(d.open[label], s)
		}
	}
}

// present takes a job that waits or runs.
func (d *diff) present(s *Sighting) {
	k := d.open[s.Label]
	if k != nil && k.seen == d.polls {
		d.same++
		return
	}
	if k == nil || k.submit != s.Submit {
		end, before := d.endedBefore(s)
		if before && !end.lost || k != nil && k.submit > s.Submit {
			return // the list is behind
		}
		if k != nil {
			d.finish(k, s.Submit, false)
		}
		k = d.arrive(s)
		if before {
			delete(d.ended, jobKey{s.Label, s.Submit})
			k.news[0].Again = true
		}
		return
	}
	k.seen, k.missed, s.Row = d.polls, 0, k.job.Row
	switch {
	case k.started() && s.Pending():
		d.finish(k, d.p.At, true)
		k = d.arrive(s)
		k.job.Submit, k.news[0].Time = d.p.At, d.p.At
	case !k.started() && !s.Pending():
		d.start(k, s)
	}
}

// missing counts the polls without a job, and ends those that have been missing for long.
func (d *diff) missing() {
	for _, k := range d.open {
		if k.seen == d.polls {
			continue
		}
		if k.missed++; k.missed == 1 {
			k.gone = d.p.At
		}
		if k.missed >= missedPolls {
			d.finish(k, k.gone, true)
			d.end(k, ending{k.gone, true})
		}
	}
}

// endOf is when a job of Poll.Ended ended; otherwise where that is not known.
func endOf(s *Sighting, otherwise float64) float64 {
	switch {
	case s.Pending() && !math.IsNaN(s.Withdrawn):
		return max(s.Submit, s.Withdrawn)
	case !s.Pending() && s.Run >= 0:
		return s.End()
	}
	return otherwise
}

// tell notes something that happened to a job.
func (d *diff) tell(k *tracked, kind workload.EventKind, at float64) {
	if len(k.news) == 0 {
		d.changed = append(d.changed, k)
	}
	k.news = append(k.news, Event{Kind: kind, Time: at, Job: k.job, Label: k.label})
}

// arrive takes a job that is new, with its start where it has started.
func (d *diff) arrive(s *Sighting) *tracked {
	j := s.Job
	k := &tracked{job: &j, label: s.Label, submit: s.Submit, seen: d.polls, in: s}
	d.tell(k, workload.Submit, s.Submit)
	if !s.Pending() {
		d.tell(k, workload.Start, s.Start())
	}
	if was := d.open[s.Label]; was == nil || was.submit <= s.Submit {
		d.open[s.Label] = k
	}
	return k
}

// start takes the start of a job that waited, and what a sighting after it says.
func (d *diff) start(k *tracked, s *Sighting) {
	j := s.Job
	j.Row, j.Submit = k.job.Row, k.job.Submit
	j.Wait, j.Run = max(0, s.Start()-j.Submit), math.NaN()
	k.job = &j
	d.tell(k, workload.Start, j.Start())
}

// close ends a job by the record of its end.
func (d *diff) close(k *tracked, s *Sighting) {
	if !k.started() && !s.Pending() {
		d.start(k, s)
	}
	j := *k.job
	j.Status, j.AllocatedNodes, j.AllocatedGPUs = s.Status, s.AllocatedNodes, s.AllocatedGPUs
	j.CPUTime, j.UsedMemory, j.UsedMemoryTotal = s.CPUTime, s.UsedMemory, s.UsedMemoryTotal
	j.Energy, j.Eligible = s.Energy, s.Eligible
	k.job = &j
	d.finish(k, endOf(s, d.p.At), k.started() && !s.Pending() && !(s.Run >= 0))
}

// finish ends a job at a time that is guessed where no record has it.
func (d *diff) finish(k *tracked, end float64, guessed bool) {
	if j := *k.job; k.started() {
		j.Run = max(0, end-j.Start())
		k.job = &j
	}
	d.tell(k, workload.Finish, end)
	k.news[len(k.news)-1].Guessed = guessed
	d.forget(k, ending{at: end})
}

func (d *diff) forget(k *tracked, e ending) {
	d.end(k, e)
	if d.open[k.label] == k {
		delete(d.open, k.label)
	}
}

// events gives new jobs their rows, in order of submission, and merges the news: by time, then
// finishes, submissions and starts, then rows. A job without length ends before the next one
// starts, as in workload.Timeline.
func (d *diff) events() []Event {
	slices.SortStableFunc(d.changed, func(a, b *tracked) int {
		return cmp.Or(cmp.Compare(a.job.Submit, b.job.Submit), cmp.Compare(a.job.ID, b.job.ID))
	})
	type ranked struct {
		Event
		kind workload.EventKind // not before that of the job's event before it at this time
	}
	var all []ranked
	for _, k := range d.changed {
		if k.in != nil {
			k.in.Row, k.job.Row = d.rows, d.rows
			for _, e := range k.news {
				e.Job.Row = d.rows
			}
			d.rows++
		}
		at, kind := d.last, workload.EventKind(0)
		for _, e := range k.news {
			e.Time = max(at, min(e.Time, max(d.last, d.p.At)))
			if e.Time > at {
				kind = 0
			}
			at, kind = e.Time, max(kind, e.Kind)
			all = append(all, ranked{e, kind})
		}
		k.news, k.in = nil, nil
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.kind, b.kind), cmp.Compare(a.Job.Row, b.Job.Row))
	})
	events := make([]Event, len(all))
	for i, e := range all {
		events[i] = e.Event
	}
	return events
}
