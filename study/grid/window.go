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

// window is a part of a log: the jobs submitted in [from, to).
type window struct {
	from, to float64 // s, counted from the log's start
	jobs     int     // jobs with a submission time, a size and a run time
	work     float64 // processor seconds of these jobs, at the log's speeds
}

// holds reports whether a job is submitted in the window.
func (w window) holds(j *workload.Job) bool { return j.Submit >= w.from && j.Submit < w.to }

// busiest returns the busiest window of the given number of days in a log: the one
// whose jobs have the most work, the first of equals. The paper takes "the busiest
// three-month period" without defining busy. Windows begin at the start of a day,
// counted from the log's start. If the log is not longer, or days is 0, the window is
// the whole log. Jobs without a submission, a size or a run time are not counted; if
// no job counts, the error wraps workload.ErrNoJobs.
func busiest(jobs iter.Seq2[workload.Job, error], days int) (window, error) {
	type load struct {
		jobs int
		work float64
	}
	byDay := map[float64]load{}
	for j, err := range jobs {
		if err != nil {
			return window{}, err
		}
		if rule, _ := sched.Unfit(&j); rule != "" {
			continue
		}
		d := math.Floor(j.Submit / day)
		l := byDay[d]
		byDay[d] = load{l.jobs + 1, l.work + float64(j.Size)*j.Run}
	}
	if len(byDay) == 0 {
		return window{}, fmt.Errorf("%w with a submission time, a size and a run time", workload.ErrNoJobs)
	}
	order := slices.Sorted(maps.Keys(byDay))
	first, last := order[0], order[len(order)-1]+1
	length := float64(days)
	if days == 0 {
		length = last - first
	}
	best := window{work: -1}
	for i, d := range order {
		w := window{from: day * d, to: day * min(d+length, last)}
		for _, e := range order[i:] {
			if e >= d+length {
				break
			}
			w.jobs += byDay[e].jobs
			w.work += byDay[e].work
		}
		if w.work > best.work {
			best = w
		}
		if d+length >= last {
			break // later windows are parts of this one
		}
	}
	return best, nil
}
