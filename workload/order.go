package workload

import (
	"fmt"
	"iter"
	"math"
)

// OrderWindow is how many jobs a log may be out of order by: InOrder looks
// this far ahead, and no further.
const OrderWindow = 1 << 17

// InOrder yields jobs by their submission time; those of one instant stay in
// the log's order. It holds at most twice OrderWindow jobs. Jobs whose
// submission time is unknown are left out and counted in w under the rule
// "no-submit-time", jobs that had to be moved under "sorted-by-submit". A job
// that belongs before one already yielded is an error: the log has to be
// sorted first. w may be nil.
func InOrder(jobs iter.Seq2[Job, error], w *Warnings) iter.Seq2[Job, error] {
	return inOrder(jobs, w, OrderWindow)
}

func inOrder(jobs iter.Seq2[Job, error], w *Warnings, window int) iter.Seq2[Job, error] {
	if w == nil {
		w = new(Warnings)
	}
	return func(yield func(Job, error) bool) {
		var moved int
		latest := math.Inf(-1)
		order := NewOrderBuffer(func(j *Job) float64 { return j.Submit }, func(j *Job) bool { return yield(*j, nil) })
		order.Window = window
		for j, err := range jobs {
			if err != nil {
				yield(Job{}, err)
				return
			}
			if math.IsNaN(j.Submit) {
				w.Add("no-submit-time", "jobs left out: their submission time is unknown", 0, j.Label())
				continue
			}
			if j.Submit < latest {
				saw := ""
				if moved++; moved == 1 {
					saw = fmt.Sprintf("%s at %g s after %g s", j.Label(), j.Submit, latest)
				}
				w.Add("sorted-by-submit", "jobs put in order: they stand after one submitted later", 0, saw)
			} else {
				latest = j.Submit
			}
			if !order.Add(j.Submit, &j) {
				yield(Job{}, fmt.Errorf("%s (row %d) is submitted at %g s, more than %d jobs after one of %g s: sort the log by submission first",
					j.Label(), j.Row+1, j.Submit, window, order.Passed()))
				return
			}
			if order.Ended() {
				return
			}
		}
		order.Finish()
	}
}
