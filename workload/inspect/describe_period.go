package inspect

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// periodPart finds when the log begins and ends, and the work in it.
type periodPart struct {
	first, last, end float64
	work             num.Sum
	gpus             int64   // of a machine of which no processors are known; 0 for none
	gpuWork          num.Sum // GPU seconds, where gpus is not 0
}

func newPeriodPart(gpus int64) *periodPart {
	return &periodPart{gpus: gpus, first: math.Inf(1), last: math.Inf(-1), end: math.Inf(-1)}
}

func (p *periodPart) add(s *slab) {
	for i, at := range s.submit {
		if !math.IsNaN(at) {
			p.first, p.last = min(p.first, at), max(p.last, at)
			if run := s.run[i]; run >= 0 {
				p.end = max(p.end, at+run+nonNegative(s.wait[i]))
			}
		}
		p.work.Add(workOf(s.size[i], s.run[i]))
		if p.gpus > 0 {
			p.gpuWork.Add(workOf(s.GPUs(i), s.run[i]))
		}
	}
}

// workOf is a job's processor seconds, or GPU seconds, 0 where size or run time is unknown.
func workOf(size int64, run float64) float64 {
	if size == workload.Unknown || !(run > 0) {
		return 0
	}
	return float64(size) * run
}

// nonNegative is x, or 0 where x is negative or unknown.
func nonNegative(x float64) float64 {
	if x > 0 {
		return x
	}
	return 0
}

// into writes what was found into a description.
func (p *periodPart) into(d *Description) {
	d.Work = p.work.Value()
	l := &d.Log
	l.FirstSubmit, l.LastSubmit, l.LastEnd = stats.Number(math.NaN()), stats.Number(math.NaN()), stats.Number(math.NaN())
	if p.last >= p.first {
		l.FirstSubmit, l.LastSubmit = stats.Number(p.first), stats.Number(p.last)
	}
	if !math.IsInf(p.end, 0) {
		l.LastEnd = stats.Number(p.end)
	}
	d.OfferedLoad = stats.Number(loadOf(d.Work, int64(l.Processors), p.last-p.first))
	if p.gpus > 0 {
		d.OfferedLoad, d.OfferedLoadOf = stats.Number(loadOf(p.gpuWork.Value(), p.gpus, p.last-p.first)), "gpus"
	}
}

// loadOf is the work over what the machine could do in a span of seconds, NaN
// where the machine or the span is unknown, or there is no work.
func loadOf(work float64, processors int64, span float64) float64 {
	if processors > 0 && span > 0 && work > 0 {
		return work / (float64(processors) * span)
	}
	return math.NaN()
}
