package watch

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

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
