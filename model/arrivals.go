package model

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/strict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Arrivals holds the law of the times between submissions, in seconds, and the daily cycle.
// Lublin and Feitelson (2003), section 3.3.
type Arrivals struct {
	Method Method `opt:"method" required:"true"`

	// Peak is the law of ln of the interarrival time, in seconds, at peak hours. ARAR, the arrive
	// rush-to-all ratio, multiplies its shape: it is the mean of ln of the interarrival times of
	// the whole day divided by that of peak hours.
	Peak LnGamma `opt:"peak" not:"interarrival" required:"!interarrival"`
	ARAR float64 `opt:"arar" in:"[0.01,100]" for:"peak" required:"peak"`

	// Interarrival, used instead of Peak, is the law of the interarrival time in seconds, over
	// whole days.
	Interarrival Law     `opt:"interarrival"`
	MaxSeconds   float64 `opt:"max_s" in:"(0,1.0686474581524463e13]" for:"interarrival"` // where Interarrival is cut; 0 for no cut

	// MeanSeconds, optional, is the mean interarrival time over whole days, in seconds: all
	// interarrival times of the law are multiplied by one factor to reach it. This preserves the
	// rate of arrivals, which a fitted law of ln seconds alone does not.
	MeanSeconds float64 `opt:"mean_s" in:"[1e-6,1.0686474581524463e13]"`

	// The daily cycle is either Cycle, a Gamma law over the numbers FirstSlot to LastSlot of the
	// half hours of a day (section 3.3.2), or Day, the weights of the half hours from midnight
	// on, with mean 1. It is not used if Method is Stationary.
	Cycle dist.Gamma      `opt:"cycle" not:"day"`
	Day   *[Slots]float64 `opt:"day" in:"[0,48]"`
	// Week, optional, is the relative rate of arrivals on Sunday, Monday, ..., Saturday, with
	// mean 1. The paper's arrivals have no weekly cycle.
	Week *[Weekdays]float64 `opt:"week" in:"[0,7]"`
}

// Weekdays is the number of days in a week. They are numbered from Sunday, as in package time.
const Weekdays = 7

// Method is the method by which the daily cycle shapes the arrivals. Lublin and
// Feitelson (2003), section 7.3.
type Method string

const (
	// SlotWeights makes the length of a half hour, for interarrival times,
	// proportional to its weight: the paper's third method, and the only one
	// in the authors' program.
	SlotWeights Method = "slot-weights"
	// ExpectedInterarrival draws an interarrival time from the Gamma law of its logarithm, with
	// the shape of the half hour in which it begins: the paper's first method.
	ExpectedInterarrival Method = "expected-interarrival"
	// ExpectedSlotsMethod is like ExpectedInterarrival with other shapes: the paper's second
	// method.
	ExpectedSlotsMethod Method = "expected-slots"
	// Stationary leaves the cycle out: interarrival times are drawn as they are. It is
	// for logs whose time of day is unknown, and for tests.
	Stationary Method = "stationary"
)

// Methods returns the names of the methods, the default first.
func Methods() []string {
	return []string{string(SlotWeights), string(ExpectedInterarrival), string(ExpectedSlotsMethod), string(Stationary)}
}

// ByShape reports whether the method gives half hours a shape of their own.
func (m Method) ByShape() bool { return m == ExpectedInterarrival || m == ExpectedSlotsMethod }

// Choices returns the allowed values of a key that has a fixed set of values.
func (Arrivals) Choices(key string) []string {
	if key == "method" {
		return Methods()
	}
	return nil
}

// Check checks the method, the laws and the cycle against each other.
func (a *Arrivals) Check() error {
	byShape, hasCycle := a.Method.ByShape(), a.Cycle != (dist.Gamma{})
	_, hasWeight := a.Weights()
	var err error
	switch {
	case byShape && a.Interarrival.Law != nil:
		return workload.OptionFault("method", a.Method, "%s or %s where the distribution is of seconds: there is no shape of ln", SlotWeights, Stationary)
	case byShape && a.MeanSeconds != 0:
		return workload.OptionFault("mean_s", fmt.Sprintf("a mean with method %s", a.Method), "method %s or %s", SlotWeights, Stationary)
	case hasCycle:
		err = strict.Within("cycle", checkLaw(a.Cycle))
	case !hasWeight:
		return workload.OptionFault("cycle", "nothing", "a daily cycle: cycle or day")
	case a.Day != nil:
		err = meanOne("day", a.Day[:])
	}
	if err == nil && a.Week != nil {
		err = meanOne("week", a.Week[:])
	}
	switch {
	case err != nil:
		return err
	case !hasWeight:
		return workload.OptionFault("cycle", fmt.Sprintf("a Gamma distribution of mean %g without mass on any slot", a.Cycle.Mean()), "mass on the slot numbers %d to %d", FirstSlot, LastSlot)
	case a.Interarrival.Law != nil:
		return checkCut("max_s", a.Interarrival.Law, a.MaxSeconds)
	case byShape:
		if _, err := a.Shapes(); err != nil {
			return workload.OptionFault("method", fmt.Sprintf("%s: %v", a.Method, err), "another method, or a milder cycle")
		}
	}
	return enough("peak.max_ln", a.Peak.MaxLn, a.Law().CDF(a.Peak.MaxLn))
}

// Law returns the law of ln of the interarrival times before the cycle shapes
// them: Peak with its shape times ARAR; the zero value for a law of seconds.
func (a Arrivals) Law() dist.Gamma {
	return dist.Gamma{Shape: a.Peak.Shape * a.ARAR, Scale: a.Peak.Scale}
}

// Times returns the law of the interarrival times, in seconds, before the cycle shapes them, and
// the value at which it is cut; 0 for no cut.
func (a Arrivals) Times() (law dist.Law, cut float64) {
	if a.Interarrival.Law != nil {
		return a.Interarrival.Law, a.MaxSeconds
	}
	return dist.Ln{Inner: a.Law(), MaxLn: a.Peak.MaxLn}, 0
}

// Gap returns the mean interarrival time in seconds: MeanSeconds, or that of
// the truncated law.
func (a Arrivals) Gap() float64 {
	if a.MeanSeconds > 0 {
		return a.MeanSeconds
	}
	return secondsMean(a.Times())
}

// Pace returns the factor by which the law's interarrival times are multiplied,
// so that their mean is Gap.
func (a Arrivals) Pace() float64 {
	if a.MeanSeconds == 0 {
		return 1
	}
	return a.MeanSeconds / secondsMean(a.Times())
}

// A day has Slots slots of SlotSeconds each. They are numbered from FirstSlot to LastSlot in the
// order of Lublin and Feitelson (2003), section 3.3.2: from the one that begins at 5:00, number
// 11, past midnight to the one that ends at 5:00, number 58. The number of a half hour is its
// index in the day plus one, and another 48 if that is below 11. (The paper's text counts from
// zero; the authors' program counts from one, and only that recovers the paper's table 7.)
const (
	Slots       = 48
	SlotSeconds = 1800
	FirstSlot   = 11
	LastSlot    = 58
)

// SlotNumber returns the number of the half hour that begins i half hours
// after midnight, for i from 0 to 47.
func SlotNumber(i int) int {
	if i+1 < FirstSlot {
		return i + 1 + Slots
	}
	return i + 1
}

// CycleWeights returns the weight of every half hour from midnight on, with
// mean 1: the mass of cycle within half a slot of the slot's number. It is
// false if cycle has no mass on any slot. Lublin and Feitelson (2003), section
// 3.3.2.
func CycleWeights(cycle dist.Gamma) (weights [Slots]float64, ok bool) {
	sum := 0.0
	for i := range weights {
		n := float64(SlotNumber(i))
		weights[i] = mass(cycle, n-0.5, n+0.5)
		sum += weights[i]
	}
	if !(sum > 0) {
		return weights, false
	}
	for i := range weights {
		weights[i] *= Slots / sum
	}
	return weights, true
}

// Weights returns the weight of every half hour from midnight on, with mean 1;
// all are 1 if there is no cycle. It is false if no slot has any weight.
func (a Arrivals) Weights() (weights [Slots]float64, ok bool) {
	switch {
	case a.Method == Stationary:
		for i := range weights {
			weights[i] = 1
		}
		return weights, true
	case a.Day != nil:
		return *a.Day, true
	}
	return CycleWeights(a.Cycle)
}
