package evaluate

import (
	"github.com/loadstone-hpc/loadstone/internal/slots"
	"github.com/loadstone-hpc/loadstone/workload"
)

// mostStarted is how many jobs that have started are held until one submitted
// before them starts too.
const mostStarted = 1 << 20

// submissionOrder puts jobs, which a simulation yields as they start, back in the
// order of their submission. It holds those that have started before one submitted
// earlier: 4 bytes for each submission since, and the job where it has started.
type submissionOrder struct {
	most    int                       // mostStarted, unless a test has less
	next    int64                     // number of the first submission not yet passed on
	places  []int32                   // of the submissions from next on, in started, or notStarted
	head    int                       // in places, of next
	started slots.Table[workload.Job] // that are held
}

// notStarted stands for a job that has not started.
const notStarted = -1

// jobs passes jobs on in the order of their submission. number returns that of the
// job yielded last: its position among the submissions. A job that has to be passed
// on late, since more than most would be held for it, is counted in odd.
func (o *submissionOrder) jobs(jobs workload.JobSeq, number func() int64, odd *workload.Warnings) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err != nil {
				yield(j, err)
				return
			}
			n := number()
			switch {
			case n < o.next:
				odd.Add("late-start", "jobs written out of the order of submission: they wait for longer than the jobs after them can be held in memory", 0, j.Label())
				if !yield(j, nil) {
					return
				}
				continue
			case n == o.next && o.head == len(o.places): // none is held
				o.next++
				if !yield(j, nil) {
					return
				}
				continue
			}
			o.hold(n, &j)
			if !o.pass(yield) {
				return
			}
		}
	}
}

// hold holds a job, and gives up the first submission if that makes too many.
func (o *submissionOrder) hold(n int64, j *workload.Job) {
	for int64(len(o.places)-o.head) <= n-o.next {
		o.places = append(o.places, notStarted)
	}
	o.places[o.head+int(n-o.next)] = o.started.Put(j)
	if o.started.Len() > o.most {
		for o.places[o.head] == notStarted {
			o.skip()
		}
	}
}

// pass passes on the jobs held before the first submission that has not started.
func (o *submissionOrder) pass(yield func(workload.Job, error) bool) bool {
	for o.head < len(o.places) && o.places[o.head] != notStarted {
		slot := o.places[o.head]
		o.skip()
		j := *o.started.At(slot)
		o.started.Free(slot)
		if !yield(j, nil) {
			return false
		}
	}
	return true
}

// skip goes on to the next submission.
func (o *submissionOrder) skip() {
	o.next++
	if o.head++; o.head == len(o.places) {
		o.places, o.head = o.places[:0], 0
	} else if o.head >= 1024 && 2*o.head >= len(o.places) {
		o.places, o.head = o.places[:copy(o.places, o.places[o.head:])], 0
	}
}
