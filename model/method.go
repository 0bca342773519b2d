package model

import (
	"slices"
	"strconv"
	"strings"
)

// Method says how the daily cycle enters the arrivals. Lublin and Feitelson
// (2003), section 7.3.
type Method string

const (
	// SlotWeights makes a half hour of the day last as long, for the
	// interarrival times, as its weight: the paper's third method, and the
	// only one of the authors' program.
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

// Methods lists the methods, the default one first.
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
