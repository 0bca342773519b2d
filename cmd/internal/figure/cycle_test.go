package figure

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

func TestCycleIsTheModels(t *testing.T) {
	// Table 7 of Lublin and Feitelson (2003), the model's row.
	law := dist.Gamma{Shape: 8.17, Scale: 3.96}
	weights, ok := model.CycleWeights(law)
	if !ok {
		t.Fatal("no weights")
	}
	s, err := Cycle{"cycle", law}.series()
	if err != nil {
		t.Fatal(err)
	}
	first, last := s.points[0], s.points[len(s.points)-1]
	if first.X != 5 || last.X != 29 {
		t.Errorf("from %v to %v, want 5 to 29", first.X, last.X)
	}
	for i, w := range weights {
		// The middle of the half hour, between two points of the line.
		hour := float64(model.SlotNumber(i)-1)/2 + 0.25
		at := (hour - 5) / 24 * (curvePoints - 1)
		k := int(at)
		got := s.points[k].Y + (at-float64(k))*(s.points[k+1].Y-s.points[k].Y)
		if want := w / model.Slots; math.Abs(got-want) > 1e-4*want {
			t.Errorf("at %v h: %v, want %v", hour, got, want)
		}
	}
}

func TestCycleOutOfTheDay(t *testing.T) {
	if _, err := (Cycle{"late", dist.Gamma{Shape: 1e6, Scale: 1}}).series(); err == nil || !strings.Contains(err.Error(), "late has no jobs from slot 11 to 58") {
		t.Errorf("a million slots after midnight: %v", err)
	}
}
