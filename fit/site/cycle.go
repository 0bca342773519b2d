package site

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// CycleReport is the Gamma of the daily cycle over the slot numbers
// model.FirstSlot to model.LastSlot. Lublin and Feitelson (2003), section 7.2.
type CycleReport struct {
	Law dist.JSON `json:"law"`  // a dist.Gamma
	N   int64     `json:"jobs"` // jobs, without those removed as automatic peaks
	// D is the largest difference between the distribution functions at the
	// ends of the slots, where that of the law is taken at the slot's number
	// plus 1/2.
	D stats.Number `json:"ks_d"`
	// Distance is the sum over the slots of (m-d)²/(m+d), where d is the
	// number of jobs of the log and m that of the model, with its weights
	// normalised.
	Distance stats.Number `json:"chi_square_distance"`
	Peaks    []PeakOff    `json:"automatic_peaks"` // with the number of jobs removed
}

// Fits reports whether the law is close enough to the log's cycle to stand for it: at most
// one job in twenty is at another time of day, or no more than chance explains at the level
// of 1 % (Kolmogorov-Smirnov's 1.63/√n).
func (c CycleReport) Fits() bool { return float64(c.D) <= max(0.05, 1.63/math.Sqrt(float64(c.N))) }

// Caution is what to know before the law is used; "" if it fits.
func (c CycleReport) Caution() string {
	if c.Fits() {
		return ""
	}
	return fmt.Sprintf("the law of the daily cycle does not fit: D is %.4f, the share of jobs at another time of day; a time zone other than the site's is one cause", float64(c.D))
}

func (c CycleReport) gamma() dist.Gamma { return c.Law.Law.(dist.Gamma) }

// AutomaticPeak is a time of day at which a program, not the users, submits
// jobs: the paper leaves out the peak of the SDSC logs at 3:30.
type AutomaticPeak struct {
	Name string  `json:"name"`   // for the report
	From float64 `json:"from_h"` // hours of the day, multiples of 0.5,
	To   float64 `json:"to_h"`   // 0 <= From < To <= 24
}

func (p AutomaticPeak) validate() error {
	half := func(h float64) bool { return 2*h == math.Trunc(2*h) }
	if half(p.From) && half(p.To) && p.From >= 0 && p.From < p.To && p.To <= 24 && p.To-p.From <= 12 {
		return nil
	}
	return workload.OptionFault("automatic-peak", p.Name, "full or half hours from 0 to 24, at most 12 of them; it is from %g to %g o'clock", p.From, p.To)
}

// PeakOff is an automatic peak with the number of jobs removed from it: those
// by which its half hours exceed the mean of the two half hours around it.
type PeakOff struct {
	AutomaticPeak
	Jobs float64 `json:"jobs_left_out"`
}

// takeOff cuts the half hours of the peaks to the mean of the two half hours
// around each.
func takeOff(jobs [model.Slots]float64, peaks []AutomaticPeak) ([model.Slots]float64, []PeakOff) {
	off := []PeakOff{}
	for _, p := range peaks {
		from, to := int(2*p.From), int(2*p.To)
		most := (jobs[(from+model.Slots-1)%model.Slots] + jobs[to%model.Slots]) / 2
		o := PeakOff{AutomaticPeak: p}
		for i := from; i < to; i++ {
			if jobs[i] > most {
				o.Jobs += jobs[i] - most
				jobs[i] = most
			}
		}
		off = append(off, o)
	}
	return jobs, off
}

// fitCycle fits the Gamma of the daily cycle to jobs by half hour from
// midnight, by maximum likelihood; false where they do not determine one.
func fitCycle(jobs [model.Slots]float64) (CycleReport, bool) {
	var sums em.GammaSums
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
	var distance, d, upTo float64
	for slot := model.FirstSlot; slot <= model.LastSlot; slot++ {
		i := (slot - 1) % model.Slots
		m := weights[i] / model.Slots * sums.W
		if m+jobs[i] > 0 {
			distance += (m - jobs[i]) * (m - jobs[i]) / (m + jobs[i])
		}
		before := upTo
		upTo += jobs[i]
		d = max(d, math.Abs(upTo/sums.W-law.CDF(float64(slot)+0.5)), math.Abs(before/sums.W-law.CDF(float64(slot)-0.5)))
	}
	return CycleReport{Law: dist.JSON{Law: law}, N: int64(sums.W), D: stats.Number(d), Distance: stats.Number(distance), Peaks: []PeakOff{}}, true
}

// MethodsReport contains the parameters of the paper's three methods of
// imposing the daily cycle on arrivals, by half hour from midnight on. Lublin
// and Feitelson (2003), section 7.3.
type MethodsReport struct {
	// ExpectedInterarrival are the first method's shapes of the Gamma of ln of
	// the interarrival time; nil if there are none, with the reason in Why.
	ExpectedInterarrival *[model.Slots]float64 `json:"expected_interarrival_shapes"`
	// ExpectedSlots are those of the second method; check Converged.
	ExpectedSlots *ExpectedSlots `json:"expected_slots"`
	// SlotWeights are the weights of the third method, with mean 1: a half
	// hour lasts 1800 times its weight in virtual seconds. Generation uses
	// this method.
	SlotWeights [model.Slots]float64 `json:"slot_weights"`
	Why         string               `json:"why,omitempty"`
}

// ExpectedSlots is model.ExpectedSlots with a Residual that can be written as
// JSON.
type ExpectedSlots struct {
	model.ExpectedSlots
	Residual stats.Number `json:"residual"` // null where it is infinite
}

func methodsOf(a model.Arrivals) *MethodsReport {
	r := &MethodsReport{}
	r.SlotWeights, _ = a.Weights()
	shapes, err := a.ExpectedInterarrival()
	if err != nil {
		r.Why = err.Error()
	} else {
		r.ExpectedInterarrival = &shapes
	}
	if slots, err := a.ExpectedSlots(); err != nil {
		r.Why = err.Error()
	} else {
		r.ExpectedSlots = &ExpectedSlots{slots, stats.Number(slots.Residual)}
	}
	return r
}
