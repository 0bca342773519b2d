package watch

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

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
	d.fresh = append(d.fresh, arrival{k: k, at: len(d.found), in: s})
	d.found = append(d.found, h)
	if was := d.t.open[s.Label]; was == nil || was.submit <= s.Submit {
		d.t.open[s.Label] = k
	}
	return k
}

func (k *tracked) event(kind workload.EventKind, at float64) Event {
	return Event{Kind: kind, Time: at, Job: k.job, Label: k.label}
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
	k.job = &j
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
	d.t.end(k.label, k.job, k.submit, ending{at: end})
	if d.t.open[k.label] == k {
		delete(d.t.open, k.label)
	}
}
