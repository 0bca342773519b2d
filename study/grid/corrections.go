package grid

import (
	"iter"

	"github.com/loadstone-hpc/loadstone/workload"
)

// watched is how many levels' classes are watched for a job: up to that of its
// estimate, since a finer one may come to know.
func (f *forecaster) watched(e *estimate) int { return min(int(e.level)+1, len(f.levels)) }

// enter remembers the classes of a job that a cluster has got, so that their
// completions correct its estimate.
func (f *forecaster) enter(slot int32, cluster int) {
	if !f.corrected {
		return
	}
	j, watches := f.jobs.at(slot), f.watch(slot)
	for i := range f.watched(&j.estimate) {
		l := &f.levels[i]
		h := l.at(cluster)
		key := l.classes.Key(j.request)
		c := h.classes[key]
		if c == nil {
			c = &class{}
			h.classes[key] = c
		}
		s := f.on(c, cluster)
		watches[i] = watch{s.number, int32(len(s.slots))}
		s.slots = append(s.slots, slot)
	}
}

// leave is the end of a job's stay.
func (f *forecaster) leave(slot int32, cluster int) {
	if !f.corrected {
		return
	}
	watches := f.watch(slot)
	for i := range f.watched(&f.jobs.at(slot).estimate) {
		s, place := f.stays[watches[i].stay], watches[i].place
		last := s.slots[len(s.slots)-1]
		s.slots[place] = last
		f.watch(last)[i].place = place
		s.slots = s.slots[:len(s.slots)-1]
	}
}

// observe learns from a job that ended, and notes whose estimates that changes.
func (f *forecaster) observe(j *workload.Job, cluster int) {
	for i := range f.levels {
		l := &f.levels[i]
		h := l.at(cluster)
		h.predictor.Observe(*j)
		c := h.classes[l.classes.Key(&j.Request)]
		if c == nil {
			continue // none of its jobs had to look here
		}
		for _, s := range c.stays {
			if len(s.slots) > 0 && !s.learned {
				s.learned = true
				f.learned[s.cluster] = append(f.learned[s.cluster], s)
				f.changed[s.cluster] = true
			}
		}
	}
}

// outdated yields the jobs of a cluster whose classes have learned, and forgets
// that they have. A job may come twice. The requests are collected first: where
// thousands of jobs wait, their records are not in the cache, and a short loop
// waits for many of them at once.
func (f *forecaster) outdated(cluster int) iter.Seq2[int32, *workload.Request] {
	return func(yield func(int32, *workload.Request) bool) {
		for _, s := range f.learned[cluster] {
			s.learned = false
			f.slots, f.requests = append(f.slots[:0], s.slots...), f.requests[:0] // renew may alter s
			for _, slot := range f.slots {
				f.requests = append(f.requests, f.jobs.at(slot).request)
			}
			for i, slot := range f.slots {
				if !yield(slot, f.requests[i]) {
					return
				}
			}
		}
		f.learned[cluster] = f.learned[cluster][:0]
	}
}

// renew makes a job's estimate anew, and says whether it has changed.
func (f *forecaster) renew(slot int32, r *workload.Request, cluster int) bool {
	e := f.look(r, cluster, 0)
	j := f.jobs.at(slot)
	if e.level != j.estimate.level {
		f.leave(slot, cluster)
		before := j.estimate.seconds
		j.estimate = e
		f.enter(slot, cluster)
		return before != e.seconds
	}
	changed := j.estimate.seconds != e.seconds
	j.estimate.seconds = e.seconds
	return changed
}
