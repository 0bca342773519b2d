package model

import (
	"github.com/loadstone-hpc/loadstone/dist"
)

// A day has Slots slots of SlotSeconds, numbered from FirstSlot to LastSlot in
// the order in which Lublin and Feitelson (2003), section 3.3.2, line them up:
// from 5:00, number 11, over midnight to 5:00, number 58. The number of a half
// hour is its index in the day plus one; those below 11 have 48 added. (The
// paper's text counts from zero; the authors' program counts from one, and
// only that recovers the paper's table 7.)
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
// false where cycle has no mass on any slot. Lublin and Feitelson (2003),
// section 3.3.2.
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
// all are 1 where there is no cycle. It is false where no slot has any weight.
func (a Arrivals) Weights() ([Slots]float64, bool) {
	switch {
	case a.Method == Stationary:
		var weights [Slots]float64
		for i := range weights {
			weights[i] = 1
		}
		return weights, true
	case a.HasDay():
		return a.Day, true
	}
	return CycleWeights(a.Cycle)
}

// HasDay says whether the weights of the half hours are given one by one.
func (a Arrivals) HasDay() bool { return a.Day != [Slots]float64{} }

// HasCycle says whether there is a daily cycle.
func (a Arrivals) HasCycle() bool { return a.HasDay() || a.Cycle != dist.Gamma{} }

// WithoutCycle returns the arrivals without their daily cycle.
func (a Arrivals) WithoutCycle() Arrivals {
	a.Method, a.Cycle, a.Day = Stationary, dist.Gamma{}, [Slots]float64{}
	return a
}
