package grid

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

const day = 86400

// Window is a part of a log: the jobs submitted from From on, before To.
type Window struct {
	From, To float64 // s, from the log's start
	Jobs     int     // jobs with a submission time, a size and a run time
	Work     float64 // processor seconds of these jobs, at the log's speeds
}

// Holds reports whether a job is submitted in the window.
func (w Window) Holds(j *workload.Job) bool { return j.Submit >= w.From && j.Submit < w.To }

// Busiest returns the busiest window of that many days in a log: the one whose
// jobs have the most work, the first of equals. The paper takes "the busiest
// three-month period" without defining busy. Windows begin with a day, counted
// from the log's start. Where the log is no longer than that, or days is 0, the
// window is all of it. Jobs without a submission, a size or a run time are not
// counted.
//
// An error of the input is passed on; a log without a job that counts is
// workload.ErrNoJobs, and days below 0 are an error.
func Busiest(jobs iter.Seq2[workload.Job, error], days int) (Window, error) {
	if days < 0 {
		return Window{}, fmt.Errorf("grid: the busiest %d days: want 1 or more, or 0 for all", days)
	}
	type load struct {
		jobs int
		work float64
	}
	by := map[float64]load{}
	for j, err := range jobs {
		if err != nil {
			return Window{}, err
		}
		if rule, _ := sched.Unfit(&j); rule != "" {
			continue
		}
		d := math.Floor(j.Submit / day)
		l := by[d]
		by[d] = load{l.jobs + 1, l.work + float64(j.Size)*j.Run}
	}
	if len(by) == 0 {
		return Window{}, fmt.Errorf("%w with a submission time, a size and a run time", workload.ErrNoJobs)
	}
	order := slices.Sorted(maps.Keys(by))
	first, last := order[0], order[len(order)-1]+1
	length := float64(days)
	if days == 0 {
		length = last - first
	}
	best := Window{Work: -1}
	for i, d := range order {
		w := Window{From: day * d, To: day * min(d+length, last)}
		for _, e := range order[i:] {
			if e >= d+length {
				break
			}
			w.Jobs += by[e].jobs
			w.Work += by[e].work
		}
		if w.Work > best.Work {
			best = w
		}
		if d+length >= last {
			break // later ones are parts of this one
		}
	}
	return best, nil
}
