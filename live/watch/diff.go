package watch

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// diff is the comparison of one poll with what a tracker knows.
type diff struct {
	t     *Tracker
	p     *Poll
	floor float64 // s; what ended before was seen in its time
	found []happenings
	fresh []arrival
	same  int64 // sightings of one job

	numbers map[int64]*tracked // see task; nil before it is needed
	lost    int64              // sightings without a number or a submission
}

// arrival is a job that is new to the tracker. It gets its row when all of a poll are known.
type arrival struct {
	k  *tracked
	at int       // of its happenings in found
	in *Sighting // that showed it
}

// compare finds what happened.
func (d *diff) compare() {
	for i := range d.p.Ended {
		if s := &d.p.Ended[i]; d.numbered(s) && !s.Tasks {
			d.ended(s)
		}
	}
	for i := range d.p.Jobs {
		if s := &d.p.Jobs[i]; d.numbered(s) {
			d.present(s)
		}
	}
	for i := range d.p.Ended {
		if s := &d.p.Ended[i]; s.Tasks {
			d.cancelled(s)
		}
	}
	if !d.p.Partial {
		d.missing()
	}
	d.warn("shared-id", "jobs that have the number of another job: only the first is followed", d.same)
	d.warn("no-job-number", "jobs without a number or a submission time: they are not followed", d.lost)
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
	if s.Label == "" {
		s.Label = labelOf(&s.Job)
	}
	return true
}

// ended takes a job that has ended.
func (d *diff) ended(s *Sighting) {
	k := d.t.open[s.Label]
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
	if _, before := d.t.endedBefore(s); before || endOf(s, s.Submit) < d.floor {
		return
	}
	if k != nil && k.submit < s.Submit {
		d.over(k, s.Submit, false)
	}
	d.forget(d.arrive(s, true), endOf(s, s.Submit))
}

// cancelled ends the tasks of an array that waited. Those that no poll saw teach nothing.
func (d *diff) cancelled(s *Sighting) {
	var tasks []*tracked
	for _, k := range d.t.open {
		if a := k.job.Asked; a != nil && s.Asked != nil && a.Array == s.Asked.Array && k.submit == s.Submit && !k.started() {
			tasks = append(tasks, k)
		}
	}
	slices.SortFunc(tasks, byRow)
	for _, k := range tasks {
		d.close(k, s)
	}
}

func byRow(a, b *tracked) int { return cmp.Compare(a.job.Row, b.job.Row) }

// task returns the open task of an array, or part of a job, that a log knows by its own
// number alone; nil for none.
func (d *diff) task(s *Sighting) *tracked {
	if d.numbers == nil {
		d.numbers = map[int64]*tracked{}
		for label, k := range d.t.open {
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

// present takes a job that waits or runs.
func (d *diff) present(s *Sighting) {
	k := d.t.open[s.Label]
	if k != nil && k.seen == d.t.polls {
		d.same++
		return
	}
	if k == nil || k.submit != s.Submit {
		end, before := d.t.endedBefore(s)
		if before && !end.lost || k != nil && k.submit > s.Submit {
			return // the list is behind
		}
		if k != nil {
			d.over(k, s.Submit, false)
		}
		d.arrive(s, false)
		if before {
			delete(d.t.ended, jobKey{s.Label, s.Submit})
			d.found[len(d.found)-1][0].Again = true
		}
		return
	}
	k.seen, k.missed, s.Row = d.t.polls, 0, k.job.Row
	switch {
	case k.started() && s.Pending():
		d.over(k, d.p.At, true)
		k = d.arrive(s, false)
		k.job.Submit = d.p.At
		d.found[len(d.found)-1][0].Time = d.p.At
	case !k.started() && !s.Pending():
		d.start(k, s)
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

// missing counts the polls without a job, and ends those that have been missing for long.
func (d *diff) missing() {
	var gone []*tracked
	for _, k := range d.t.open {
		if k.seen == d.t.polls {
			continue
		}
		if k.missed++; k.missed == 1 {
			k.gone = d.p.At
		}
		if k.missed >= missedPolls {
			gone = append(gone, k)
		}
	}
	slices.SortFunc(gone, byRow)
	for _, k := range gone {
		d.over(k, k.gone, true)
		d.t.end(k.label, k.job, k.submit, ending{k.gone, true})
	}
}

// events gives new jobs their rows, in order of submission, and merges everything.
func (d *diff) events() []Event {
	slices.SortStableFunc(d.fresh, func(a, b arrival) int {
		return cmp.Or(cmp.Compare(a.k.job.Submit, b.k.job.Submit), cmp.Compare(a.k.job.ID, b.k.job.ID))
	})
	for _, a := range d.fresh {
		a.k.job.Row, a.in.Row = d.t.rows, d.t.rows
		d.t.rows++
	}
	return inOrder(d.found, d.t.last, max(d.t.last, d.p.At))
}
