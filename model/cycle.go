package model

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/dist"
)

// A day has Slots slots of SlotSeconds, numbered from FirstSlot to LastSlot in
// the order in which Lublin and Feitelson (2003), section 3.3.2, order them:
// from the one that begins at 5:00, number 11, past midnight to the one that
// ends at 5:00, number 58. The number of a half hour is its index in the day
// plus one; those below 11 have 48 added. (The paper's text counts from zero;
// the authors' program counts from one, and only that recovers the paper's
// table 7.)
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

// mass is the probability of (lo, hi], taken from the shorter tail.
func mass(l dist.Law, lo, hi float64) float64 {
	if f := l.CDF(hi); f < 0.5 {
		return f - l.CDF(lo)
	}
	return l.Survival(lo) - l.Survival(hi)
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
	case a.Cycle == nil:
		return weights, false
	}
	return a.Cycle.weights()
}

// WithoutCycle returns the arrivals without their daily cycle.
func (a Arrivals) WithoutCycle() Arrivals {
	a.Method, a.Cycle = Stationary, nil
	return a
}

// Cycle is a daily cycle: GammaCycle or DayWeights.
type Cycle interface {
	// weights are those of the half hours from midnight on, with mean 1; false
	// where none has any.
	weights() ([Slots]float64, bool)
	visit(f *form) Cycle
}

// visitCycle goes over a daily cycle, whose form a file tells by its fields.
func visitCycle(f *form, c Cycle, m Method) Cycle {
	switch {
	case f.task == read && f.has("day"):
		f.given("cycle", false) // of which the message about other fields tells
		c = DayWeights{}
	case f.task == read && (f.has("cycle") || m != Stationary):
		c = GammaCycle{}
	case m == Stationary && c != nil:
		f.reject("cycle", "a distribution", fmt.Sprintf("none with method %q", Stationary))
	case m != Stationary && c == nil:
		f.reject("cycle", "missing", "a daily cycle")
	}
	if c == nil {
		return nil
	}
	return c.visit(f)
}

// GammaCycle is a Gamma law over the numbers FirstSlot to LastSlot of the half
// hours of a day. Lublin and Feitelson (2003), section 3.3.2.
type GammaCycle dist.Gamma

var _ Cycle = GammaCycle{}

func (c GammaCycle) weights() ([Slots]float64, bool) { return CycleWeights(dist.Gamma(c)) }

func (c GammaCycle) visit(f *form) Cycle {
	lawOf(f, "cycle", (*dist.Gamma)(&c))
	f.check(func() error {
		if _, ok := c.weights(); !ok {
			return &FieldError{Path: f.at("cycle"), Saw: fmt.Sprintf("a Gamma distribution of mean %g without mass on any slot", dist.Gamma(c).Mean()),
				Want: fmt.Sprintf("mass on the slot numbers %d to %d", FirstSlot, LastSlot)}
		}
		return nil
	})
	return c
}

// DayWeights are the weights of the half hours from midnight on, with mean 1.
type DayWeights [Slots]float64

var _ Cycle = DayWeights{}

func (c DayWeights) weights() ([Slots]float64, bool) { return c, true }

func (c DayWeights) visit(f *form) Cycle {
	row(f, "day", c[:], "from midnight on")
	f.check(func() error { return meanOne(f.at("day"), c[:]) })
	return c
}
