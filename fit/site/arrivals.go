package site

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// ArrivalsReport is the fit of a class's arrivals.
type ArrivalsReport struct {
	// Peak is the Gamma law of ln of the interarrival times between two jobs of the same peak
	// period or, if AllHours is set, of all interarrival times.
	Peak     fit.Report `json:"peak"`
	AllHours bool       `json:"all_hours"`
	MinGap   float64    `json:"min_gap_s"` // interarrival times up to it are left out, also from the ARAR
	// ARAR is the paper's arrive rush-to-all ratio: the mean of ln of all
	// interarrival times divided by the mean of ln in peak periods.
	ARAR  stats.Number             `json:"arar"`
	Gaps  int64                    `json:"gaps"`  // number of interarrival times at all hours, without those left out
	Cycle *CycleReport             `json:"cycle"` // nil if the half hours do not determine one
	Week  *[model.Weekdays]float64 `json:"week"`  // jobs by time on each weekday, from Sunday on, with mean 1; nil if the log is shorter than a week
}

// arrivals fits peak interarrival times, the ARAR and the daily cycle. Lublin and Feitelson
// (2003), section 7. If the time of day is unknown, or the gaps at peak hours do not determine a
// law, all gaps are used instead.
func (f *fitter) arrivals(c fit.Class, all *ClassReport) (a model.Arrivals, err error) {
	r := &all.Arrivals
	gaps, peak := f.gaps(c)
	arar := 1.0
	r.MinGap, r.Gaps, r.AllHours = f.o.MinGap, gaps.Jobs(), !f.clock.Known
	if f.whole != nil {
		r.AllHours = f.whole.Arrivals.AllHours
	}
	if !r.AllHours {
		r.Peak, err = f.law("gamma", fit.Interarrival, peak, c.Label())
		if err == nil {
			arar = meanLn(gaps) / meanLn(peak)
		} else if errors.As(err, new(*fit.DegenerateError)) && f.whole == nil {
			r.AllHours = true
			all.warn("peak hours do not determine a law: it is of all interarrival times (%v)", err)
		}
	}
	if r.AllHours {
		r.Peak, err = f.law("gamma", fit.Interarrival, gaps, c.Label())
	}
	if err != nil {
		return a, err
	}
	r.ARAR = stats.Number(arar)
	if late := c.Late(); late > 0 {
		all.warn("%d jobs are out of order of submission: their interarrival times are left out", late)
	}
	a = model.Arrivals{Method: model.Stationary, Peak: model.LnGamma{Gamma: r.Peak.Law.(dist.Gamma), MaxLn: maxLn(gaps)}, ARAR: arar}
	if !f.clock.Known {
		return a, nil
	}
	r.Week = weekOf(c.Collector)
	a.Week = r.Week
	if r.Cycle = fitCycle(c.Slots()); r.Cycle == nil {
		all.warn("the half hours of the day do not determine a cycle: arrivals are without one")
		return a, nil
	}
	a.Method, a.Cycle = model.SlotWeights, r.Cycle.Law.Law.(dist.Gamma)
	return a, nil
}

// gaps returns the interarrival times above Options.MinGap, at all hours and between two jobs of
// the same peak period.
func (f *fitter) gaps(c fit.Class) (all, peak fit.Sample) {
	counted := func(s fit.Sample) fit.Sample {
		kept, cut := s.Above(f.o.MinGap)
		kept.LeaveOut(fmt.Sprintf("interarrival time not above %g s", f.o.MinGap), cut)
		return kept
	}
	all, peak = c.Gaps()
	return counted(all), counted(peak)
}

func meanLn(s fit.Sample) float64 {
	var sum, jobs float64
	for i, v := range s.Values {
		sum += s.Counts[i] * math.Log(v)
		jobs += s.Counts[i]
	}
	return sum / jobs
}

// weekOf returns the weights of weekdays, nil for a log whose first and last submission are
// less than a week apart: it does not have every day.
func weekOf(c *fit.Collector) *[model.Weekdays]float64 {
	jobs, seconds, ok := c.Weekdays()
	if !ok {
		return nil
	}
	weights, sum := new([model.Weekdays]float64), 0.0
	for d, n := range jobs {
		weights[d] = n / seconds[d]
		sum += weights[d]
	}
	for d := range weights {
		weights[d] *= model.Weekdays / sum
	}
	return weights
}

// CycleReport is the fit of the Gamma law of the daily cycle over the slot numbers
// model.FirstSlot to model.LastSlot. Lublin and Feitelson (2003), section 7.2.
type CycleReport struct {
	Law dist.JSON `json:"law"` // a dist.Gamma
	N   int64     `json:"jobs"`
	// D is the largest difference between the distribution functions at the ends of the slots,
	// where that of the law is evaluated at the slot's number plus 1/2.
	D stats.Number `json:"ks_d"`
}

// Caution returns a warning if the law is too far from the log's cycle to represent it; else "".
// It is close enough if at most one job in twenty is at another time of day, or no more than
// chance explains at the level of 1 % (1.63/√n, Kolmogorov-Smirnov).
func (c *CycleReport) Caution() string {
	if c == nil || float64(c.D) <= max(0.05, 1.63/math.Sqrt(float64(c.N))) {
		return ""
	}
	return fmt.Sprintf("the law of the daily cycle does not fit: D is %.4f, the share of jobs at another time of day; a time zone other than the site's is one cause", float64(c.D))
}

// fitCycle fits the Gamma of the daily cycle to jobs by half hour from midnight, by maximum
// likelihood; nil if they do not determine one.
func fitCycle(jobs [model.Slots]float64) *CycleReport {
	var sums em.GammaSums
	for i, n := range jobs {
		if n > 0 {
			sums.Add(float64(model.SlotNumber(i)), n)
		}
	}
	law, ok := sums.ML()
	if !ok {
		return nil
	}
	if _, ok := model.CycleWeights(law); !ok {
		return nil
	}
	var d, upTo float64
	for slot := model.FirstSlot; slot <= model.LastSlot; slot++ {
		i := (slot - 1) % model.Slots
		before := upTo
		upTo += jobs[i]
		d = max(d, math.Abs(upTo/sums.W-law.CDF(float64(slot)+0.5)), math.Abs(before/sums.W-law.CDF(float64(slot)-0.5)))
	}
	return &CycleReport{Law: dist.JSON{Law: law}, N: int64(sums.W), D: stats.Number(d)}
}
