package site

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ArrivalsReport is the fit of a class's arrivals.
type ArrivalsReport struct {
	// Peak is the Gamma of ln of the interarrival times between two jobs of
	// the same peak period; of all interarrival times where AllHours.
	Peak     fit.Report `json:"peak"`
	AllHours bool       `json:"all_hours"`
	MinGap   float64    `json:"min_gap_s"` // interarrival times up to it are left out, from the ARAR too
	// ARAR is the paper's arrive rush-to-all ratio: the mean of ln of all
	// interarrival times divided by that of those in peak periods.
	ARAR  stats.Number `json:"arar"`
	Gaps  int64        `json:"gaps"` // number of interarrival times at all hours, without those left out
	Cycle *CycleReport `json:"cycle"`
	// FullCycle is the cycle including the automatic peaks; nil if none were
	// given.
	FullCycle   *CycleReport   `json:"cycle_with_automatic_peaks"`
	Week        *WeekReport    `json:"week"`          // nil if the log is shorter than a week
	Methods     *MethodsReport `json:"methods"`       // nil if there is no cycle
	MaxLn       float64        `json:"max_ln"`        // where the model cuts ln of the interarrival time
	MaxLnSource string         `json:"max_ln_source"` // where the limit comes from
	Warnings    []string       `json:"warnings"`
}

// fitArrivals fits peak interarrival times, the ARAR and the daily cycle.
// Lublin and Feitelson (2003), section 7. Without the time of day, and where
// no two gaps at peak hours differ, all gaps take the place of the peak's.
func fitArrivals(c fit.Class, clock workload.Clock, o Options) (model.Arrivals, ArrivalsReport, error) {
	arar := 1.0
	r := ArrivalsReport{MinGap: o.MinGap, Warnings: []string{}}
	timeOfDay := clock.Known
	all, peak := o.gapSamples(c.Collector)
	r.Gaps = all.Jobs()
	r.MaxLn, r.MaxLnSource = cut(all)
	options := fit.Options{By: c.Label(), Workers: o.Workers}
	var degenerate *fit.DegenerateError
	err := error(&fit.DegenerateError{})
	if timeOfDay {
		if r.Peak, err = fit.Fit("gamma", fit.Interarrival, peak, options); err == nil {
			arar = meanLn(all) / meanLn(peak)
		} else if errors.As(err, &degenerate) {
			r.Warnings = append(r.Warnings, "peak hours do not determine a law: it is of all interarrival times ("+err.Error()+")")
		}
	}
	if errors.As(err, &degenerate) {
		r.AllHours = true
		r.Peak, err = fit.Fit("gamma", fit.Interarrival, all, options)
	}
	if err != nil {
		return model.Arrivals{}, r, err
	}
	r.ARAR = stats.Number(arar)
	if late := c.Late(); late > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d jobs come after one submitted later: these gaps are left out", late))
	}
	a := model.Arrivals{Method: model.Stationary, Gaps: model.LnGaps{Peak: gammaOf(r.Peak), MaxLn: r.MaxLn, ARAR: arar}}
	if !timeOfDay {
		return a, r, nil
	}
	r.Week = weekOf(c.Collector)
	if r.Week != nil {
		a.Week = &r.Week.Weights
	}
	jobs, peaks := takeOff(c.Slots(), o.AutomaticPeaks)
	cycle, ok := fitCycle(jobs)
	if !ok {
		r.Warnings = append(r.Warnings, "the half hours of the day do not determine a cycle: arrivals are without one")
		return a, r, nil
	}
	cycle.Peaks = peaks
	if caution := cycle.Caution(); caution != "" {
		r.Warnings = append(r.Warnings, caution)
	}
	r.Cycle = &cycle
	if full, ok := fitCycle(c.Slots()); ok && len(peaks) > 0 {
		r.FullCycle = &full
	}
	a.Method, a.Cycle = model.SlotWeights, model.GammaCycle(cycle.gamma())
	r.Methods = methodsOf(a)
	return a, r, nil
}

// gapSamples are the interarrival times that count, over all times and between
// two jobs of one peak period.
func (o Options) gapSamples(c *fit.Collector) (all, peak fit.Sample) {
	all, peak = c.Gaps()
	return o.countedGaps(all), o.countedGaps(peak)
}

// countedGaps leaves out the gaps that are too short.
func (o Options) countedGaps(s fit.Sample) fit.Sample {
	kept, cut := s.Above(o.MinGap)
	kept.LeaveOut(fmt.Sprintf("interarrival time not above %g s", o.MinGap), cut)
	return kept
}

func meanLn(s fit.Sample) float64 {
	var sum, jobs float64
	for i, v := range s.Values {
		sum += s.Counts[i] * math.Log(v)
		jobs += s.Counts[i]
	}
	return sum / jobs
}
