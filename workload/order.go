package workload

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"
)

// OrderWindow is how many jobs a log may be out of order by: InOrder looks
// this far ahead, and no further.
const OrderWindow = 1 << 17

// InOrder yields jobs in order of submission; those of one instant stay in the
// log's order. It holds at most twice OrderWindow jobs. Jobs whose submission
// time is unknown are left out and counted in w under the rule
// "no-submit-time", jobs that were moved under "sorted-by-submit"; w may be nil. A
// job that belongs before one already yielded is an error that wraps ErrOrder: sort the
// log first.
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
					saw = fmt.Sprintf("%s at %s after %s", j.Label(), seconds(j.Submit), seconds(latest))
				}
				w.Add("sorted-by-submit", "jobs put in order: they stand after one submitted later", 0, saw)
			} else {
				latest = j.Submit
			}
			if !order.Add(j.Submit, &j) {
				yield(Job{}, fmt.Errorf("%s (row %d) is %w: submitted at %s, more than %d jobs after one of %s; sort the log by submission first",
					j.Label(), j.Row+1, ErrOrder, seconds(j.Submit), window, seconds(order.Passed())))
				return
			}
			if order.Ended() {
				return
			}
		}
		order.Finish()
	}
}

// ErrOrder is the cause of the error of a function that takes jobs in order of submission,
// if a job comes after one that was submitted later.
var ErrOrder = errors.New("out of order")

// OutOfOrder returns an error that wraps ErrOrder: j comes after a job submitted at the
// time after, in seconds, which is later.
func OutOfOrder(j *Job, after float64) error {
	return fmt.Errorf("%s (row %d) is %w: submitted at %s, after one of %s; sort the jobs with workload.InOrder",
		j.Label(), j.Row+1, ErrOrder, seconds(j.Submit), seconds(after))
}

// seconds writes a time for a message, with all its digits: times of many logs are
// seconds since 1970, of which the difference is what matters.
func seconds(t float64) string { return strconv.FormatFloat(t, 'f', -1, 64) + " s" }
