package fit

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// ArrivalsReport is the fit of a class's arrivals.
type ArrivalsReport struct {
	// Peak is the Gamma of ln of the interarrival times between two jobs of
	// the same peak period; of all interarrival times where AllHours.
	Peak     Report
	AllHours bool
	MinGap   float64 // s; gaps up to it are left out, of the ARAR too
	// ARAR is the mean of ln of the gaps over all times, over that at peak.
	ARAR        float64
	Gaps        int64 // over all times, those left out not counted
	Cycle       *CycleReport
	MaxLn       float64 // where the model cuts ln of the interarrival time
	MaxLnSource string  // whose number that is
	Warnings    []string
}

// CycleReport is the Gamma of the daily cycle over the slot numbers
// model.FirstSlot to model.LastSlot.
type CycleReport struct {
	Law dist.Gamma
	N   int64 // jobs
	// D is the largest difference of the distribution functions at the ends
	// of the slots, the law's taken at the slot's number plus a half.
	D float64
	// Distance is the sum over the slots of (m-d)²/(m+d), m jobs of the
	// model, its weights normalised, and d of the log.
	Distance float64
}

// fitArrivals fits peak interarrival times, the ARAR and the daily cycle.
// Lublin and Feitelson (2003), section 3.3. Without the time of day, and where
// no two gaps at peak hours differ, all gaps take the place of the peak's.
func fitArrivals(c Class, timeOfDay bool, o SiteOptions) (model.Arrivals, ArrivalsReport, error) {
	r := ArrivalsReport{MinGap: o.MinGap, ARAR: 1}
	everything := c.Sample(Interarrival)
	all := everything.longGaps(o.MinGap)
	r.Gaps = all.Jobs()
	r.MaxLn, r.MaxLnSource = cut(o.MaxLnInterarrival, all)
	options := Options{By: c.Label(), Workers: o.Workers}
	var degenerate *DegenerateError
	err := error(&DegenerateError{})
	if timeOfDay {
		peak := tally(Interarrival, c.peak, 0).longGaps(o.MinGap)
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
	if timeOfDay {
		if cycle, ok := fitCycle(c.slots); ok {
			r.Cycle = &cycle
			a.Method, a.Cycle = model.SlotWeights, cycle.Law
		} else {
			r.Warnings = append(r.Warnings, "the half hours of the day do not determine a cycle: arrivals are without one")
		}
	}
	return a, r, nil
}

// longGaps leaves out gaps up to least, one reason for all of them.
func (s Sample) longGaps(least float64) Sample {
	kept, cut := s.above(least)
	kept.leaveOut(fmt.Sprintf("interarrival time not above %g s", least), cut)
	return kept
}

func meanLn(s Sample) float64 {
	var sum, jobs float64
	for i, v := range s.Values {
		sum += s.Counts[i] * math.Log(v)
		jobs += s.Counts[i]
	}
	return sum / jobs
}

// fitCycle fits the Gamma of the daily cycle to jobs by half hour from
// midnight, by maximum likelihood; false where they do not determine one.
func fitCycle(jobs [model.Slots]float64) (CycleReport, bool) {
	var sums GammaSums
	for i, n := range jobs {
		if n > 0 {
			sums.Add(float64(model.SlotNumber(i)), n)
		}
	}
	law, ok := sums.ML()
	if !ok {
		return CycleReport{}, false
	}
	weights, ok := model.CycleWeights(law)
	if !ok {
		return CycleReport{}, false
	}
	r := CycleReport{Law: law, N: int64(sums.W)}
	upTo := 0.0
	for slot := model.FirstSlot; slot <= model.LastSlot; slot++ {
		i := (slot - 1) % model.Slots
		m := weights[i] / model.Slots * sums.W
		if m+jobs[i] > 0 {
			r.Distance += (m - jobs[i]) * (m - jobs[i]) / (m + jobs[i])
		}
		before := upTo
		upTo += jobs[i]
		r.D = max(r.D, math.Abs(upTo/sums.W-law.CDF(float64(slot)+0.5)), math.Abs(before/sums.W-law.CDF(float64(slot)-0.5)))
	}
	return r, true
}
