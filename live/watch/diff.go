package watch

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// diff is the state of the comparison of a poll with a Tracker.
type diff struct {
	*Tracker
	p       *Poll
	changed []*tracked         // jobs with news
	numbers map[int64]*tracked // see task; nil until needed
	same    int64              // number of repeated sightings of a job in this poll
	lost    int64              // number of sightings without a number or a submission time
}

func (d *diff) warn(rule, text string, count int64) {
	if count > 0 {
		d.p.Warnings = append(d.p.Warnings, workload.Warning{Rule: rule, Text: text, Count: count})
	}
}

// numbered reports whether a sighting can be followed, and completes it: it sets the label and
// marks the row as unknown.
func (d *diff) numbered(s *Sighting) bool {
	s.Row = -1 // unknown
	if s.ID == workload.Unknown || math.IsNaN(s.Submit) || math.IsInf(s.Submit, 0) {
		d.lost++
		return false
	}
	s.Label = cmp.Or(s.Label, labelOf(&s.Job))
	if s.Wait < 0 { // the machine's clocks differ
		s.Wait = 0
	}
	return true
}

// over processes a sighting of a job that has ended.
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
			return // the record is of its run before it was requeued
		}
		d.close(k, s)
		return
	}
	end := endOf(s, s.Submit)
	// An earlier poll has shown its end.
	if _, before := d.endedBefore(s); before || end < d.at-remembered {
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

// task returns the open task of an array, or part of a job, that a sighting identifies only by
// its own number, or nil if there is none.
func (d *diff) task(s *Sighting) *tracked {
	if d.numbers == nil {
		d.numbers = map[int64]*tracked{}
		for label, k := range d.open {
			if label != labelOf(k.job) && k.started() {
				if d.numbers[k.job.ID] != nil { // all tasks share a number: match none
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

// cancelled ends the waiting tasks of an array. Tasks that no poll has shown are ignored.
func (d *diff) cancelled(s *Sighting) {
	for label, k := range d.open {
		if s.Array != workload.Unknown && k.job.Array == s.Array && k.submit == s.Submit && !k.started() {
			d.close(d.open[label], s)
		}
	}
}

// present processes a sighting of a waiting or running job.
func (d *diff) present(s *Sighting) {
	k := d.open[s.Label]
	if k != nil && k.seen == d.polls {
		d.same++
		return
	}
	if k == nil || k.submit != s.Submit {
		end, before := d.endedBefore(s)
		if before && !end.lost || k != nil && k.submit > s.Submit {
			return // the list is out of date
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

// missing counts the polls in a row without each open job, and ends the jobs that have been
// missing for missedPolls.
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

// endOf returns the end of a job in Poll.Ended, or the given time if it is unknown.
func endOf(s *Sighting, otherwise float64) float64 {
	switch {
	case s.Pending() && !math.IsNaN(s.Withdrawn):
		return max(s.Submit, s.Withdrawn)
	case !s.Pending() && s.Run >= 0:
		return s.End()
	}
	return otherwise
}

// tell adds an event to the news of a job.
func (d *diff) tell(k *tracked, kind workload.EventKind, at float64) {
	if len(k.news) == 0 {
		d.changed = append(d.changed, k)
	}
	k.news = append(k.news, Event{Kind: kind, Time: at, Job: k.job, Label: k.label})
}

// arrive adds a new job, with its submission and, if it has started, its start.
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

// start records the start of a waiting job, and updates the job from a later sighting.
func (d *diff) start(k *tracked, s *Sighting) {
	j := s.Job
	j.Row, j.Submit = k.job.Row, k.job.Submit
	j.Wait, j.Run = max(0, s.Start()-j.Submit), math.NaN()
	k.job = &j
	d.tell(k, workload.Start, j.Start())
}

// close ends a job with the record of its end.
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

// finish ends a job. guessed means that there is no record of the end.
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

// events numbers the rows of new jobs in order of submission, and merges the news of all jobs: by
// time, then by kind (finishes, submissions, starts), then by row. A job of length 0 ends
// before the next job starts, as in workload.Timeline.
func (d *diff) events() []Event {
	slices.SortStableFunc(d.changed, func(a, b *tracked) int {
		return cmp.Or(cmp.Compare(a.job.Submit, b.job.Submit), cmp.Compare(a.job.ID, b.job.ID))
	})
	type ranked struct {
		Event
		kind workload.EventKind // not less than that of the job's previous event at the same time
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
