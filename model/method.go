package model

import (
	"slices"
	"strconv"
	"strings"
)

// Method is the method by which the daily cycle shapes the arrivals. Lublin and
// Feitelson (2003), section 7.3.
type Method string

const (
	// SlotWeights makes the length of a half hour, for interarrival times,
	// proportional to its weight: the paper's third method, and the only one
	// in the authors' program.
	SlotWeights Method = "slot-weights"
	// ExpectedInterarrival draws an interarrival time from the Gamma of its
	// logarithm with the shape of the half hour in which it begins, by
	// Arrivals.ExpectedInterarrival: the paper's first method.
	ExpectedInterarrival Method = "expected-interarrival"
	// ExpectedSlotsMethod does so with the shapes of Arrivals.ExpectedSlots:
	// the paper's second method.
	ExpectedSlotsMethod Method = "expected-slots"
	// Stationary is no cycle: interarrival times are drawn as they are. It is
	// for logs whose time of day is unknown, and for tests.
	Stationary Method = "stationary"
)

// Methods returns the methods, the default first.
func Methods() []Method {
	return []Method{SlotWeights, ExpectedInterarrival, ExpectedSlotsMethod, Stationary}
}

// ByShape reports whether the method gives half hours a shape of their own.
func (m Method) ByShape() bool { return m == ExpectedInterarrival || m == ExpectedSlotsMethod }

// wantMethod lists the methods for a message.
func wantMethod() string {
	var quoted []string
	for _, m := range Methods() {
		quoted = append(quoted, strconv.Quote(string(m)))
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}

func (m Method) known() bool { return slices.Contains(Methods(), m) }
