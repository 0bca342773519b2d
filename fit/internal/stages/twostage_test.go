package stages

import (
	"math"
	"testing"
)

func TestThinRows(t *testing.T) {
	rows := make([]Row, 1000)
	weight := 0.0
	for i := range rows {
		rows[i] = Row{Near: float64(i), Target: float64(i) / 1000, Weight: float64(1 + i%3)}
		weight += rows[i].Weight
	}
	if got := thinRows(rows, 1000); len(got) != 1000 || &got[0] != &rows[0] {
		t.Error("rows that fit are not left as they are")
	}
	thin := thinRows(rows, 64)
	sum := 0.0
	for k, r := range thin {
		sum += r.Weight
		// Runs of 1000/64 = 15 or 16 rows: the middle one is within 8 of both ends.
		if at := float64(k) * 1000 / 64; r.Near < at || r.Near > at+16 || r.Target != r.Near/1000 {
			t.Errorf("row %d is that of %g", k, r.Near)
		}
	}
	if len(thin) != 64 || sum != weight {
		t.Errorf("%d rows of weight %g, want 64 of %g", len(thin), sum, weight)
	}
}

// A uniform law on [0, 1] is found again from more points than are looked at:
// its distribution function is a straight line.
func TestFitStagesOfManyRows(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	n := stageRows + 5000
	rows := make([]Row, n)
	for i := range rows {
		x := (float64(i) + 0.5) / float64(n)
		rows[i] = Row{Near: x, Far: x, Target: x, Weight: 1}
	}
	law, _, converged := FitTwoStage(rows, math.Inf(-1), math.Inf(1))
	for _, x := range []float64{0.1, 0.5, 0.9} {
		if math.Abs(law.CDF(x)-x) > 1e-4 {
			t.Errorf("converged %t: %+v has CDF %g at %g", converged, law, law.CDF(x), x)
		}
	}
}
