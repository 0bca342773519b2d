package model

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// TestArrivalMethodsAgreeWithSciPy: testdata/arrival_methods.py finds the
// second method's shapes by nested root finding.
func TestArrivalMethodsAgreeWithSciPy(t *testing.T) {
	data, err := os.ReadFile("testdata/arrival_methods.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref struct {
		Cases []struct {
			Name                 string
			Peak, Cycle          [2]float64
			ARAR                 float64
			ExpectedInterarrival [Slots]float64 `json:"expected_interarrival"`
			ExpectedSlots        [Slots]float64 `json:"expected_slots"`
		}
	}
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	if len(ref.Cases) != 3 {
		t.Fatalf("%d cases, want 3", len(ref.Cases))
	}
	for _, c := range ref.Cases {
		a := Arrivals{
			Method: SlotWeights, Gaps: LnGaps{Peak: dist.Gamma{Shape: c.Peak[0], Scale: c.Peak[1]}, ARAR: c.ARAR},
			Cycle: GammaCycle{Shape: c.Cycle[0], Scale: c.Cycle[1]},
		}
		first, err := a.ExpectedInterarrival()
		if err != nil {
			t.Fatal(err)
		}
		second, err := a.ExpectedSlots()
		if err != nil {
			t.Fatal(err)
		}
		if !second.Converged || second.Residual > 1e-9 || second.Iterations < 2 || second.Iterations > 20 {
			t.Errorf("%s: converged %v after %d iterations, residual %g", c.Name, second.Converged, second.Iterations, second.Residual)
		}
		for i := range first {
			if want := c.ExpectedInterarrival[i]; math.Abs(first[i]-want) > 1e-11*want {
				t.Errorf("%s: expected interarrival time: shape %d is %.14g, want %.14g", c.Name, i, first[i], want)
			}
			if want := c.ExpectedSlots[i]; math.Abs(second.Shapes[i]-want) > 1e-7*want {
				t.Errorf("%s: expected slots: shape %d is %.12g, want %.12g", c.Name, i, second.Shapes[i], want)
			}
		}
	}
}

func TestArrivalMethodsWithoutCycle(t *testing.T) {
	a := Arrivals{Method: Stationary, Gaps: LnGaps{Peak: dist.Gamma{Shape: 6, Scale: 0.8}, ARAR: 1.25}}
	first, err := a.ExpectedInterarrival()
	if err != nil {
		t.Fatal(err)
	}
	second, err := a.ExpectedSlots()
	if err != nil || !second.Converged {
		t.Fatalf("expected slots: converged %v, error %v", second.Converged, err)
	}
	for i := range first {
		// 6 * 1.25: no half hour differs from another.
		if first[i] != 7.5 || math.Abs(second.Shapes[i]-7.5) > 1e-9 {
			t.Errorf("half hour %d: shapes %g and %g, want 7.5", i, first[i], second.Shapes[i])
		}
	}
}

// A cycle that leaves half hours without weight, and one with more weight than
// a small shape can take, have no shapes.
func TestArrivalMethodsRefuse(t *testing.T) {
	for _, tt := range []struct {
		name  string
		cycle dist.Gamma
		peak  dist.Gamma
		want  string
		slots bool // the second method too
	}{
		{"no weight", dist.Gamma{Shape: 1e6, Scale: 30e-6}, dist.Gamma{Shape: 6, Scale: 0.8}, "want more than 0", true},
		{"no shape", dist.Gamma{Shape: 60, Scale: 0.5}, dist.Gamma{Shape: 0.5, Scale: 1}, "no shape above 0", false},
	} {
		a := Arrivals{Method: SlotWeights, Gaps: LnGaps{Peak: tt.peak, ARAR: 1}, Cycle: GammaCycle(tt.cycle)}
		if _, err := a.ExpectedInterarrival(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
		if _, err := a.ExpectedSlots(); (err != nil) != tt.slots {
			t.Errorf("%s: expected slots: error %v", tt.name, err)
		}
	}
}

// What does not converge says so, with finite shapes above 0.
func TestExpectedSlotsWithoutEnd(t *testing.T) {
	a := Arrivals{Method: SlotWeights, Gaps: LnGaps{Peak: dist.Gamma{Shape: 0.05, Scale: 40}, ARAR: 1}, Cycle: GammaCycle{Shape: 60, Scale: 1.0 / 3}}
	r, err := a.ExpectedSlots()
	if err != nil {
		t.Fatal(err)
	}
	if r.Converged || r.Residual <= slotsTolerance {
		t.Errorf("converged %v, residual %g; want no convergence", r.Converged, r.Residual)
	}
	for i, s := range r.Shapes {
		if !(s > 0) || math.IsInf(s, 1) {
			t.Errorf("shape %d is %g", i, s)
		}
	}
}
