package reshape

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Partials makes one record of each job that was executed in parts: swapped
// out, or stopped and requeued. Such a job's parts have its number and status
// 2, the last of them 3 (completed) or 4 (failed); where the header says
// "Preemption: Double" there is also a record of the whole. Work is counted
// once, by what the log has rather than by what its header says:
//
//   - where there is a record of the whole (status 0, 1 or 5; in front of the
//     parts, or right behind a part of status 3 or 4), it stays as it is, and
//     the parts are removed;
//   - else the parts become one job in the place of the first. Submission,
//     wait and requests are the first's, so the job starts when it first
//     started; run time, and CPU time, are the sums over the parts (unknown
//     ones left out), so processors times run time is the work that was done,
//     and the time swapped out is not in it; processors and memory used are
//     the largest of the parts; status is 1 after a part of status 3, 0 after
//     one of status 4, and that of the record itself where the job ended with
//     another status, as requeued jobs do.
//
// A part is awaited for Within records; a job whose last part has not come by
// then keeps status 2, and a warning says so. Records behind an unfinished job
// wait in memory: at most Within, 230 bytes each. In a log with parts side by
// side, as the format has them, they are few.
type Partials struct {
	Within int `opt:"within" in:"[1,67108864]" help:"records over which a job's parts may be spread, 230 bytes of memory each"`
}

// NewPartials returns the filter with its defaults.
func NewPartials() Partials { return Partials{Within: 100_000} }

// Name returns the filter's name.
func (Partials) Name() string { return "partials" }

// String implements Filter.
func (p Partials) String() string { return textOf(p) }

// Apply implements Filter.
func (p Partials) Apply(_ workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		m := merging{within: p.Within, outcome: o, open: map[int64]*mergedJob{}, whole: map[int64]int64{}}
		for j, err := range jobs {
			if err != nil {
				yield(j, err)
				return
			}
			if m.add(j) {
				if !yield(j, nil) {
					return
				}
				continue
			}
			if !m.release(false, yield) {
				return
			}
		}
		m.release(true, yield)
	}
}

// isPart reports whether a record is a part of an execution.
func isPart(status int64) bool {
	return status == workload.StatusPartial || status == workload.StatusLastCompleted || status == workload.StatusLastFailed
}

// absorb makes a job of itself and its next part.
func absorb(j, part *workload.Job) {
	if math.IsNaN(j.Submit) {
		j.Submit, j.Wait = part.Submit, part.Wait
	}
	j.Run = sumKnown(j.Run, part.Run)
	j.CPUTime = sumKnown(j.CPUTime, part.CPUTime)
	if !(j.UsedMemory >= part.UsedMemory) && !math.IsNaN(part.UsedMemory) {
		j.UsedMemory = part.UsedMemory
	}
	j.Allocated = max(j.Allocated, part.Allocated) // Unknown is the least of all
	j.Processors = max(j.Processors, part.Processors)
	j.Status = part.Status
}

func sumKnown(a, b float64) float64 {
	switch {
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	}
	return a + b
}

// wholeStatus is the status of a job of which that is the last part's.
func wholeStatus(status int64) int64 {
	switch status {
	case workload.StatusLastCompleted:
		return workload.StatusCompleted
	case workload.StatusLastFailed:
		return workload.StatusFailed
	}
	return status
}

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
