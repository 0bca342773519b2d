package fit

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ArrivalsReport is the fit of a class's arrivals.
type ArrivalsReport struct {
	// Peak is the Gamma of ln of the interarrival times between two jobs of
	// the same peak period; of all interarrival times where AllHours.
	Peak     Report
	AllHours bool
	MinGap   float64 // s; gaps up to it are left out, of the ARAR too,
	ShortGap float64 // s; or count as this, if not 0
	MaxGap   float64 // s; gaps above it are left out, if not 0
	// ARAR is the mean of ln of the gaps over all times, over that at peak.
	ARAR  float64
	Gaps  int64 // over all times, those left out not counted
	Cycle *CycleReport
	// FullCycle is the cycle with the automatic peaks in it; nil where no
	// peaks were named.
	FullCycle   *CycleReport
	Week        *WeekReport    // nil where the log is shorter than a week
	Methods     *MethodsReport // nil where there is no cycle
	MaxLn       float64        // where the model cuts ln of the interarrival time
	MaxLnSource string         // whose number that is
	Warnings    []string
}

// fitArrivals fits peak interarrival times, the ARAR and the daily cycle.
// Lublin and Feitelson (2003), section 7. Without the time of day, and where
// no two gaps at peak hours differ, all gaps take the place of the peak's.
func fitArrivals(c Class, clock workload.Clock, o SiteOptions) (model.Arrivals, ArrivalsReport, error) {
	r := ArrivalsReport{MinGap: o.MinGap, ShortGap: o.ShortGap, MaxGap: o.MaxGap, ARAR: 1}
	timeOfDay := clock.Known
	all, peak := c.gapSamples(o)
	r.Gaps = all.Jobs()
	r.MaxLn, r.MaxLnSource = cut(o.MaxLnInterarrival, all)
	options := Options{By: c.Label(), Workers: o.Workers}
	var degenerate *DegenerateError
	err := error(&DegenerateError{})
	if timeOfDay {
		if r.Peak, err = Fit("gamma", Interarrival, peak, options); err == nil {
			r.ARAR = meanLn(all) / meanLn(peak)
		} else if errors.As(err, &degenerate) {
			r.Warnings = append(r.Warnings, "peak hours do not determine a law: it is of all interarrival times ("+err.Error()+")")
		}
	}
	if errors.As(err, &degenerate) {
		r.AllHours = true
		r.Peak, err = Fit("gamma", Interarrival, all, options)
	}
	if err != nil {
		return model.Arrivals{}, r, err
	}
	if c.late > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d jobs come after one submitted later: these gaps are left out", c.late))
	}
	a := model.Arrivals{Method: model.Stationary, Peak: gammaOf(r.Peak), MaxLn: r.MaxLn, ARAR: r.ARAR}
	if !timeOfDay {
		return a, r, nil
	}
	r.Week = weekOf(c.Collector)
	if r.Week != nil {
		a.Week = r.Week.Weights
	}
	jobs, peaks := takeOff(c.slots, o.AutomaticPeaks)
	cycle, ok := fitCycle(jobs)
	if !ok {
		r.Warnings = append(r.Warnings, "the half hours of the day do not determine a cycle: arrivals are without one")
		return a, r, nil
	}
	cycle.Peaks = peaks
	r.Cycle = &cycle
	if full, ok := fitCycle(c.slots); ok && len(peaks) > 0 {
		r.FullCycle = &full
	}
	a.Method, a.Cycle = model.SlotWeights, cycle.Law
	r.Methods = methodsOf(a)
	return a, r, nil
}

// gapSamples are the interarrival times that count, over all times and between
// two jobs of one peak period.
func (c *Collector) gapSamples(o SiteOptions) (all, peak Sample) {
	return SampleOfCounts(Interarrival, o.shortGaps(c.all), c.noGap).gaps(o), SampleOfCounts(Interarrival, o.shortGaps(c.peak), 0).gaps(o)
}

// gaps leaves out the gaps that are too short, and those that are too long,
// one reason for all of each.
func (s Sample) gaps(o SiteOptions) Sample {
	kept, cut := s, int64(0)
	if o.ShortGap == 0 {
		kept, cut = s.above(o.MinGap)
		kept.leaveOut(fmt.Sprintf("interarrival time not above %g s", o.MinGap), cut)
	}
	if o.MaxGap > 0 {
		kept = kept.upTo(o.MaxGap, fmt.Sprintf("interarrival time above %g s", o.MaxGap))
	}
	return kept
}

// shortGaps are the gaps with those not above MinGap counted as ShortGap.
func (o SiteOptions) shortGaps(gaps map[float64]float64) map[float64]float64 {
	if o.ShortGap == 0 {
		return gaps
	}
	counted := make(map[float64]float64, len(gaps))
	for d, n := range gaps {
		if d <= o.MinGap {
			d = o.ShortGap
		}
		counted[d] += n
	}
	return counted
}

func meanLn(s Sample) float64 {
	var sum, jobs float64
	for i, v := range s.Values {
		sum += s.Counts[i] * math.Log(v)
		jobs += s.Counts[i]
	}
	return sum / jobs
}
