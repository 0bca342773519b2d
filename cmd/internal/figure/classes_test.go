package figure

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Two classes by hand: one of 1, 10 and 100 s, one of 1,000 s alone, over one
// range, to twice the one value of the second, with a law of the second.
func TestClassSeries(t *testing.T) {
	law, err := NewLaw("uniform-log", dist.UniformLog{TMin: 1, TMax: 1000}, None, 0)
	if err != nil {
		t.Fatal(err)
	}
	groups := []Group{
		{"short", Sample{[]float64{1, 10, 100}, []float64{2, 1, 1}}, nil},
		{"long", Sample{[]float64{1000}, []float64{5}}, &law},
	}
	data, laws, err := classSeries(groups)
	if err != nil || len(data) != 2 || len(laws) != 2 || laws[0].points != nil {
		t.Fatalf("%d series, %d distributions, %v", len(data), len(laws), err)
	}
	for i, p := range data[0].points {
		share := 0.5
		switch {
		case p.X >= 100:
			share = 1
		case p.X >= 10:
			share = 0.75
		}
		if p.Y != share {
			t.Errorf("short at %g: %g, want %g", p.X, p.Y, share)
		}
		if at := data[1].points[i]; at.X != p.X || at.Y != 0 && p.X < 1000 {
			t.Errorf("long at %g: %v", p.X, at)
		}
		if want := min(1, math.Log(p.X)/math.Log(1000)); math.Abs(laws[1].points[i].Y-want) > 1e-12 {
			t.Errorf("law at %g: %g, want %g", p.X, laws[1].points[i].Y, want)
		}
	}
	if last := data[1].points[len(data[1].points)-1]; last.X != 2000 || last.Y != 1 {
		t.Errorf("long ends at %v", last)
	}
	if _, _, err := classSeries([]Group{{"none", Sample{}, nil}}); err == nil || !strings.Contains(err.Error(), "nothing to draw") {
		t.Errorf("a class without jobs: %v", err)
	}
}
