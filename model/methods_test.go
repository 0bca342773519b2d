package model

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// TestArrivalMethodsAgreeWithSciPy compares with testdata/arrival_methods.py, which finds the
// second method's shapes by nested root finding.
func TestArrivalMethodsAgreeWithSciPy(t *testing.T) {
	type reference struct {
		Cases []struct {
			Name                 string
			Peak, Cycle          [2]float64
			ARAR                 float64
			ExpectedInterarrival [Slots]float64 `json:"expected_interarrival"`
			ExpectedSlots        [Slots]float64 `json:"expected_slots"`
		}
	}
	for _, c := range longtest.ReadJSON[reference](t, "testdata/arrival_methods.json").Cases {
		a := Arrivals{
			Method: SlotWeights, Peak: LnGamma{Gamma: dist.Gamma{Shape: c.Peak[0], Scale: c.Peak[1]}}, ARAR: c.ARAR,
			Cycle: dist.Gamma{Shape: c.Cycle[0], Scale: c.Cycle[1]},
		}
		both := shapesOf(t, a)
		first, second := both[0], both[1]
		for i := range first {
			if want := c.ExpectedInterarrival[i]; math.Abs(first[i]-want) > 1e-11*want {
				t.Errorf("%s: expected interarrival time: shape %d is %.14g, want %.14g", c.Name, i, first[i], want)
			}
			if want := c.ExpectedSlots[i]; math.Abs(second[i]-want) > 1e-7*want {
				t.Errorf("%s: expected slots: shape %d is %.12g, want %.12g", c.Name, i, second[i], want)
			}
		}
	}
}

// shapesOf returns the shapes of the first and the second method.
func shapesOf(t *testing.T, a Arrivals) (shapes [2][Slots]float64) {
	t.Helper()
	for i, m := range []Method{ExpectedInterarrival, ExpectedSlotsMethod} {
		a.Method = m
		var err error
		if shapes[i], err = a.shapesOfDay(); err != nil {
			t.Fatal(err)
		}
	}
	return shapes
}

func TestArrivalMethodsWithoutCycle(t *testing.T) {
	flat, _ := Arrivals{Method: Stationary}.Weights()
	both := shapesOf(t, Arrivals{Day: &flat, Peak: LnGamma{Gamma: dist.Gamma{Shape: 6, Scale: 0.8}}, ARAR: 1.25})
	first, second := both[0], both[1]
	for i := range first {
		// 6 * 1.25: all half hours are the same.
		if first[i] != 7.5 || math.Abs(second[i]-7.5) > 1e-9 {
			t.Errorf("half hour %d: shapes %g and %g, want 7.5", i, first[i], second[i])
		}
	}
}

// A cycle with half hours of weight 0, and one with more weight than a small shape allows, have
// no shapes.
func TestArrivalMethodsRefuse(t *testing.T) {
	for _, tt := range []struct {
		name  string
		cycle dist.Gamma
		peak  dist.Gamma
		want  string
		slots bool // whether the second method fails too
	}{
		{"no weight", dist.Gamma{Shape: 1e6, Scale: 30e-6}, dist.Gamma{Shape: 6, Scale: 0.8}, "want more than 0", true},
		{"no shape", dist.Gamma{Shape: 60, Scale: 0.5}, dist.Gamma{Shape: 0.5, Scale: 1}, "no shape above 0", false},
	} {
		a := Arrivals{Method: SlotWeights, Peak: LnGamma{Gamma: tt.peak}, ARAR: 1, Cycle: tt.cycle}
		a.Method = ExpectedInterarrival
		if _, err := a.shapesOfDay(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
		a.Method = ExpectedSlotsMethod
		if _, err := a.shapesOfDay(); (err != nil) != tt.slots {
			t.Errorf("%s: expected slots: error %v", tt.name, err)
		}
	}
	a := Arrivals{Method: ExpectedSlotsMethod, Peak: LnGamma{Gamma: dist.Gamma{Shape: 0.05, Scale: 40}}, ARAR: 1, Cycle: dist.Gamma{Shape: 60, Scale: 1.0 / 3}}
	if _, err := a.shapesOfDay(); err == nil || !strings.Contains(err.Error(), "are not found: after") {
		t.Errorf("shapes without end: error %v", err)
	}
	// A day of the week may have too much weight for a shape, or too little for a limit.
	flat, _ := Arrivals{Method: Stationary}.Weights()
	for _, tt := range []struct {
		week  *[Weekdays]float64
		maxLn float64
		want  string
	}{
		{&[Weekdays]float64{1, 1, 1, 1, 3, 0, 0}, 12, "Thursday has weight 3, which leaves no finite shape above 0"},
		{&[Weekdays]float64{1.4, 1.4, 1.4, 1.4, 1.4, 0, 0}, 12, "Friday has weight 0, which leaves no finite shape above 0"},
		{&[Weekdays]float64{1, 1, 1, 1, 1, 1.99, 0.01}, 0.8, "half hour 0 of Saturday has a shape of 5.61: almost none of the distribution is below max_ln"},
		{nil, 0.0005, "half hour 0 of the day has a shape of 1: almost none of the distribution is below max_ln"},
	} {
		a := Arrivals{Method: ExpectedInterarrival, Day: &flat, Week: tt.week, Peak: LnGamma{Gamma: dist.Gamma{Shape: 1, Scale: 1}, MaxLn: tt.maxLn}, ARAR: 1}
		if _, err := a.Shapes(); err == nil || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}
