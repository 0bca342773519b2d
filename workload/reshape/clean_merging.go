package reshape

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload"
)

// merging is a pass of Partials. Records wait in a queue behind the first that
// may still change.
type merging struct {
	within  int
	outcome *Outcome
	queue   []*mergedJob
	open    map[int64]*mergedJob // those of the queue that are made of parts, by job number
	last    workload.Job         // the last record

	whole  map[int64]int64 // rows of the last records of whole jobs, by number
	recent []record        // the same as a ring
	oldest int
}

// mergedJob is a record of the queue.
type mergedJob struct {
	workload.Job
	part  bool
	ended bool
	rows  []int64 // of the parts that it has absorbed
}

type record struct{ id, row int64 }

// add takes the next record. It returns true where the record can go on at
// once.
func (m *merging) add(j workload.Job) bool {
	beside := m.last.ID == j.ID
	m.last = j
	job := m.open[j.ID]
	switch {
	case j.ID == workload.Unknown:
	case isPart(j.Status):
		if row, ok := m.whole[j.ID]; ok {
			m.drop(j.ID, j.Row, row)
			return false
		}
		if job == nil || job.ended {
			job = &mergedJob{Job: j, part: true}
			m.queue = append(m.queue, job)
			m.open[j.ID] = job
		} else {
			job.absorb(&j)
		}
		job.ended = j.Status != workload.StatusPartial
		return false
	case job != nil && !job.ended:
		job.absorb(&j)
		job.ended = true
		return false
	case job != nil && beside:
		// The whole right behind its parts takes their place.
		for _, row := range append([]int64{job.Row}, job.rows...) {
			m.drop(j.ID, row, j.Row)
		}
		*job = mergedJob{Job: j}
		delete(m.open, j.ID)
		m.remember(record{j.ID, j.Row})
		return false
	default:
		m.remember(record{j.ID, j.Row})
	}
	if len(m.queue) == 0 {
		return true
	}
	m.queue = append(m.queue, &mergedJob{Job: j})
	return false
}

func (j *mergedJob) absorb(part *workload.Job) {
	absorb(&j.Job, part)
	j.rows = append(j.rows, part.Row)
}

// drop removes a part of a job that stands in the log whole.
func (m *merging) drop(id, row, whole int64) {
	m.outcome.whole = true
	m.outcome.Remove(at(id, row), fmt.Sprintf("part of the job in row %d", whole+1))
}

func at(id, row int64) *workload.Job {
	return &workload.Job{Request: workload.Request{ID: id, Row: row}}
}

// remember keeps a whole job in mind, in the place of the oldest.
func (m *merging) remember(r record) {
	if len(m.recent) < m.within {
		m.recent = append(m.recent, r)
	} else {
		if old := m.recent[m.oldest]; m.whole[old.id] == old.row {
			delete(m.whole, old.id)
		}
		m.recent[m.oldest] = r
		m.oldest = (m.oldest + 1) % m.within
	}
	m.whole[r.id] = r.row
}

// release yields the records that cannot change any more; at the end of the
// log those are all.
func (m *merging) release(end bool, yield func(workload.Job, error) bool) bool {
	for len(m.queue) > 0 {
		head := m.queue[0]
		late := end || m.last.Row-head.Row >= int64(m.within)
		switch {
		case !head.part:
		case head.ended && (late || m.last.ID != head.ID):
			m.finish(head)
		case late:
			m.outcome.Warnings.Add("unended-job", fmt.Sprintf("jobs in parts of which the last is not within %d records: they keep status 2", m.within),
				0, fmt.Sprintf("job %d in row %d", head.ID, head.Row+1))
			m.finish(head)
		default:
			return true
		}
		m.queue[0] = nil
		m.queue = m.queue[1:]
		if !yield(head.Job, nil) {
			return false
		}
	}
	return true
}

// finish makes a job of parts a whole one. A part by itself of which no other
// ever came is left as it is.
func (m *merging) finish(job *mergedJob) {
	if job.ended || len(job.rows) > 0 {
		m.outcome.whole = true
		m.outcome.Merged++
	}
	for _, row := range job.rows {
		m.outcome.Remove(at(job.ID, row), fmt.Sprintf("part merged into row %d", job.Row+1))
	}
	job.Status = wholeStatus(job.Status)
	if m.open[job.ID] == job {
		delete(m.open, job.ID)
	}
}
