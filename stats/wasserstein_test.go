package stats

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// testdata/wasserstein.json has values of SciPy, by wasserstein.py.
func TestWassersteinAgreesWithSciPy(t *testing.T) {
	type reference struct {
		Wasserstein []struct {
			X, Y     []float64
			Distance float64
		}
	}
	for _, r := range longtest.ReadJSON[reference](t, "testdata/wasserstein.json").Wasserstein {
		vx, cx := Distinct(r.X)
		vy, cy := Distinct(r.Y)
		d, err := Wasserstein(vx, cx, vy, cy)
		if err != nil || !near(d, r.Distance, 1e-12) {
			t.Errorf("%d and %d values: %.16g, %v, want %.16g", len(r.X), len(r.Y), d, err, r.Distance)
		}
	}
}

// Of three values 1, one moves to 4 and one to 2: (3 + 1)/3 on average.
func TestWassersteinByHand(t *testing.T) {
	d, err := Wasserstein([]float64{1}, []float64{3}, []float64{1, 2, 4}, []float64{2, 2, 2})
	if err != nil || !near(d, 4.0/3, 1e-15) {
		t.Errorf("%g, %v, want 4/3", d, err)
	}
	for _, c := range [][4][]float64{
		{{}, {}, {1}, {1}},
		{{1}, {1, 2}, {1}, {1}},
		{{2, 1}, {1, 1}, {1}, {1}},
		{{1}, {1}, {math.NaN()}, {1}},
		{{1}, {1}, {math.Inf(1)}, {1}},
		{{1}, {1}, {1}, {0}},
	} {
		if d, err := Wasserstein(c[0], c[1], c[2], c[3]); err == nil {
			t.Errorf("%v: %g, want an error", c, d)
		}
	}
}
