package fit

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// estimateRounds are the multiples, in seconds, to which requested times may be rounded up. The
// first is used that leaves at most model.MaxEstimateBins distinct times.
var estimateRounds = [...]float64{0, 60, 900}

// asked counts the requested times of a class with every rounding, because only the last job
// decides which rounding is needed. It takes at most as much memory as three models. The zero
// value is empty.
type asked [len(estimateRounds)]requested

// requested counts jobs by requested time.
type requested struct {
	bins    map[float64]*model.LogEstimate
	overrun int64 // number of jobs that ran longer than requested
	full    bool  // whether there are too many distinct times
}

// bin returns the bin of a requested time, nil if there are too many.
func (r *requested) bin(time float64) *model.LogEstimate {
	b := r.bins[time]
	if b == nil && !r.full {
		if r.full = len(r.bins) == model.MaxEstimateBins; r.full {
			return nil
		}
		if r.bins == nil {
			r.bins = map[float64]*model.LogEstimate{}
		}
		b = &model.LogEstimate{Time: time}
		r.bins[time] = b
	}
	return b
}

// add counts a job if its run time and requested time are known.
func (a *asked) add(j *workload.Job) {
	if !(j.Run >= 0 && j.Run <= math.MaxFloat64 && j.Time > 0) {
		return
	}
	for i, round := range estimateRounds {
		time := j.Time
		if round > 0 {
			time = math.Ceil(time/round) * round
		}
		if !(time <= model.MaxEstimateTime) {
			continue
		}
		if b := a[i].bin(time); b != nil {
			b.Accuracy[model.AccuracyCell(j.Run, time)]++
			if j.Run > time {
				a[i].overrun++
			}
		}
	}
}

func (a *asked) pool(o *asked) {
	for i := range a {
		r := &a[i]
		r.full = r.full || o[i].full
		r.overrun += o[i].overrun
		for time, of := range o[i].bins {
			if b := r.bin(time); b != nil {
				for k, n := range of.Accuracy {
					b.Accuracy[k] += n
				}
			}
		}
	}
}

// Estimates holds the requested times of jobs.
type Estimates struct {
	model.LogEstimates
	LeftOut int64   // number of jobs without a known estimate above 0 or without a known run time
	Overrun int64   // number of jobs that ran longer than their estimate
	RoundTo float64 // s; the times are rounded up to multiples of it; 0 means no rounding
}

// Estimates returns the requested times of the jobs, rounded up as little as possible; nil, and
// no error, if no job has one. It is an error if there are too many distinct times.
func (c *Collector) Estimates() (*Estimates, error) {
	for i, r := range c.asked {
		if r.full {
			continue
		}
		if len(r.bins) == 0 {
			return nil, nil
		}
		l := &Estimates{RoundTo: estimateRounds[i], Overrun: r.overrun}
		for _, b := range r.bins {
			l.Bins = append(l.Bins, *b)
		}
		slices.SortFunc(l.Bins, func(a, b model.LogEstimate) int { return cmp.Compare(a.Time, b.Time) })
		l.LeftOut = c.jobs - l.Jobs()
		return l, nil
	}
	return nil, fmt.Errorf("more than %d distinct requested times, even in multiples of %g s", model.MaxEstimateBins, estimateRounds[len(estimateRounds)-1])
}
