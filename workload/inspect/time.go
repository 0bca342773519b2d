package inspect

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// period finds the beginning and the end of the log, and its work. gpus is the number of GPUs of a
// machine whose processors are unknown, else 0.
func period(gpus int64) measure {
	first, last, end := math.Inf(1), math.Inf(-1), math.Inf(-1)
	var work, gpuWork num.Sum
	beyond := workload.Warning{Rule: "submit-beyond", Text: "submissions beyond 1e15 s, which is 32 million years, count as unknown"}
	return measure{func(b *workload.Batch) {
		for i := range b.Rows {
			at, run := submitOf(b, i), b.Float(workload.ColRunTime, i)
			if !math.IsNaN(at) {
				first, last = min(first, at), max(last, at)
				if run >= 0 {
					if wait := b.Float(workload.ColWaitTime, i); wait > 0 {
						at += wait
					}
					end = max(end, at+run)
				}
			} else if !math.IsNaN(b.Float(workload.ColSubmitTime, i)) {
				beyond.Count++
			}
			work.Add(workOf(b.Size(i), run))
			if gpus > 0 {
				gpuWork.Add(workOf(b.GPUs(i), run))
			}
		}
	}, func(d *Description) {
		known := func(x float64) stats.Number {
			if math.IsInf(x, 0) {
				x = math.NaN()
			}
			return stats.Number(x)
		}
		l := &d.Log
		l.FirstSubmit, l.LastSubmit, l.LastEnd = known(first), known(last), known(end)
		d.Months = (l.LastSubmit - l.FirstSubmit) / secondsInMonth
		d.Work = work.Value()
		d.OfferedLoad = loadOf(d.Work, int64(l.Processors), last-first)
		if gpus > 0 {
			d.OfferedLoad, d.OfferedLoadOf = loadOf(gpuWork.Value(), gpus, last-first), "gpus"
		}
		if beyond.Count > 0 {
			d.Warnings = append(d.Warnings, beyond)
		}
	}}
}

// submissions returns the times of the first and the last submission.
func (d *Description) submissions() (first, last float64) {
	return float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit)
}

// loadOf returns the work as a fraction of the machine's capacity in a span of seconds, NaN if the
// machine or the span is unknown or there is no work.
func loadOf(work float64, processors int64, span float64) stats.Number {
	if processors > 0 && span > 0 && work > 0 {
		return stats.Number(work / (float64(processors) * span))
	}
	return stats.Number(math.NaN())
}

// Submissions counts the jobs submitted in each of a series of intervals, for a chart. Intervals
// last five minutes; in long logs 10, 20, 40 and so on, so that there are at most 2048.
type Submissions struct {
	Width float64 // s, length of each interval
	First float64 // number of the first interval, which begins at First * Width s
	Jobs  []float64
}

const (
	fiveMinutes   = 300
	mostIntervals = 2048 // of Submissions; at least 2, since the intervals before and after second 0 are never joined
)

// overTime counts submissions over time.
func overTime() measure {
	counts := Submissions{Width: fiveMinutes}
	return measure{func(b *workload.Batch) {
		for i := range b.Rows {
			if at := submitOf(b, i); !math.IsNaN(at) {
				counts.add(at)
			}
		}
	}, func(d *Description) { d.Submissions = counts }}
}

// add counts a job by its submission, a finite time. If there are too many intervals, neighbours
// are joined and the width doubles.
func (s *Submissions) add(t float64) {
	for {
		k := math.Floor(t / s.Width)
		if len(s.Jobs) == 0 {
			s.First = k
		}
		low, last := min(k, s.First), max(k, s.First+float64(len(s.Jobs)-1))
		if last-low < mostIntervals {
			if low < s.First {
				s.Jobs, s.First = append(make([]float64, int(s.First-low)), s.Jobs...), low
			}
			if short := int(last-low) + 1 - len(s.Jobs); short > 0 {
				s.Jobs = append(s.Jobs, make([]float64, short)...)
			}
			s.Jobs[int(k-low)]++
			return
		}
		even := math.Floor(s.First / 2) // each even interval is joined with the odd one after it
		odd := int(s.First - 2*even)
		joined := make([]float64, (odd+len(s.Jobs)+1)/2)
		for i, n := range s.Jobs {
			joined[(odd+i)/2] += n
		}
		s.First, s.Jobs, s.Width = even, joined, 2*s.Width
	}
}
