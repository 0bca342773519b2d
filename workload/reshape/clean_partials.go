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
	Within int // records
}

var _ Filter = (*Partials)(nil)

// NewPartials returns the filter with its defaults.
func NewPartials() *Partials { return &Partials{Within: 100_000} }

func partialsKind() FilterKind {
	return FilterKind{
		Name:    "partials",
		Meaning: "parts of executions (status 2, 3, 4): dropped where the log has the whole job too, else merged into one job; work counts once",
		Parameters: []FilterParameter{
			{"within", "100000", "records over which a job's parts may be spread, 230 bytes of memory each", intParameter(func(p *Partials) *int { return &p.Within })},
		},
		new: func() parsable { return NewPartials() },
	}
}

// Validate checks the parameter.
func (p *Partials) Validate() error {
	if p.Within < 1 || p.Within > 1<<26 {
		return fmt.Errorf("within: %d: want 1 to %d", p.Within, 1<<26)
	}
	return nil
}

// String implements Filter.
func (p *Partials) String() string { return fmt.Sprintf("partials within=%d", p.Within) }

// Apply implements Filter.
func (p *Partials) Apply(_ workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
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
