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
	same  int64 // sightings of one number
	lost  int64 // sightings without a number or a submission
}

// arrival is a job that is new to the tracker. It gets its row when all of a poll are known.
type arrival struct {
	k     *tracked
	at    int       // of its happenings in found
	in    *Sighting // that showed it
	array *tracked  // that it was a part of, as known before the poll; nil for none
}

// compare finds what happened.
func (d *diff) compare() {
	for i := range d.p.Ended {
		if s := &d.p.Ended[i]; d.numbered(s) {
			d.ended(s)
		}
	}
	for i := range d.p.Jobs {
		if s := &d.p.Jobs[i]; d.numbered(s) {
			d.present(s)
		}
	}
	if !d.p.Partial {
		d.missing()
	}
	d.warn("shared-id", "jobs with the number of another job: only the first is followed", d.same)
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
	return true
}

// ended takes a job that has ended.
func (d *diff) ended(s *Sighting) {
	key := jobKey{s.ID, s.Submit}
	k := d.t.open[s.ID]
	if k != nil && k.submit == s.Submit {
		s.Row = k.job.Row
		if k.job.Submit > k.submit && !s.Pending() && s.Start() < k.job.Submit {
			return // its run before it was requeued
		}
		d.close(k, s)
		return
	}
	if _, before := d.t.ended[key]; before || endOf(s, s.Submit) < d.floor {
		return
	}
	if k != nil && k.submit < s.Submit {
		d.over(k, s.Submit, false)
	}
	k = d.arrive(s, true)
	d.t.ended[key] = endOf(s, s.Submit)
	if d.t.open[s.ID] == k {
		delete(d.t.open, s.ID)
	}
}

// present takes a job that waits or runs.
func (d *diff) present(s *Sighting) {
	key := jobKey{s.ID, s.Submit}
	k := d.t.open[s.ID]
	if k != nil && k.seen == d.t.polls {
		d.same++
		return
	}
	if k == nil || k.submit != s.Submit {
		if _, before := d.t.ended[key]; before || k != nil && k.submit > s.Submit {
			return // the list is behind
		}
		if k != nil {
			d.over(k, s.Submit, false)
		}
		d.arrive(s, false)
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

// arrive takes a job that is new, with all that the sighting tells of it.
func (d *diff) arrive(s *Sighting, over bool) *tracked {
	j := s.Job
	if s.Wait < 0 {
		j.Wait = 0
	}
	k := &tracked{job: &j, label: s.Label, submit: s.Submit, seen: d.t.polls}
	h := happenings{k.event(workload.Submit, s.Submit)}
	if s.Wait >= 0 {
		h = append(h, k.event(workload.Start, s.Start()))
	}
	if over {
		end := endOf(s, s.Submit)
		if s.Wait >= 0 && !(s.Run >= 0) {
			end = d.p.At
			j.Run = max(0, end-j.Start())
		}
		h = append(h, k.event(workload.Finish, end))
	}
	d.fresh = append(d.fresh, arrival{k: k, at: len(d.found), in: s, array: d.array(s)})
	d.found = append(d.found, h)
	if was := d.t.open[s.ID]; was == nil || was.submit <= s.Submit {
		d.t.open[s.ID] = k
	}
	return k
}

// array returns the record, under way, of the array that a task belongs to; nil for none.
func (d *diff) array(s *Sighting) *tracked {
	if s.Asked == nil || s.Asked.Array == workload.Unknown || s.Asked.Array == s.ID {
		return nil
	}
	return d.t.open[s.Asked.Array]
}

func (k *tracked) event(kind workload.EventKind, at float64) Event {
	return Event{Kind: kind, Time: at, Job: k.job, Label: k.label, Split: -1}
}

// start takes the start of a job that waited.
func (d *diff) start(k *tracked, s *Sighting) {
	k.take(s)
	d.found = append(d.found, happenings{k.event(workload.Start, k.job.Start())})
}

// take gives a job that waited what a sighting after its start says.
func (k *tracked) take(s *Sighting) {
	j := s.Job
	j.Row, j.Submit = k.job.Row, k.job.Submit
	j.Wait, j.Run = max(0, s.Start()-j.Submit), math.NaN()
	k.job, k.label = &j, s.Label
}

// close ends a job by the record of its end.
func (d *diff) close(k *tracked, s *Sighting) {
	var h happenings
	end, known := endOf(s, d.p.At), true
	if !k.started() && !s.Pending() {
		k.take(s)
		h = append(h, k.event(workload.Start, k.job.Start()))
	}
	j := *k.job
	j.Status, j.Given = s.Status, s.Given
	if k.started() {
		known = s.Run >= 0 || s.Pending()
		j.Run = max(0, end-j.Start())
	}
	k.job = &j
	last := k.event(workload.Finish, end)
	last.Guessed = !known
	d.found = append(d.found, append(h, last))
	d.forget(k, end)
}

// over ends a job of whose end there is no record.
func (d *diff) over(k *tracked, end float64, guessed bool) {
	j := *k.job
	if k.started() {
		j.Run = max(0, end-j.Start())
	}
	k.job = &j
	last := k.event(workload.Finish, end)
	last.Guessed = guessed
	d.found = append(d.found, happenings{last})
	d.forget(k, end)
}

func (d *diff) forget(k *tracked, end float64) {
	d.t.ended[jobKey{k.job.ID, k.submit}] = end
	if d.t.open[k.job.ID] == k {
		delete(d.t.open, k.job.ID)
	}
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
	slices.SortFunc(gone, func(a, b *tracked) int { return cmp.Compare(a.job.Row, b.job.Row) })
	for _, k := range gone {
		d.over(k, k.gone, true)
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
	for _, a := range d.fresh {
		if a.array == nil {
			a.array = d.array(a.in) // new, too
		}
		if a.array != nil && a.array.submit == a.k.submit {
			d.found[a.at][0].Split = a.array.job.Row
		}
	}
	return inOrder(d.found, d.t.last, max(d.t.last, d.p.At))
}
