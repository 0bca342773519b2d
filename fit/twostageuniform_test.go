package fit

import (
	"math"
	"testing"
)

func TestThinRows(t *testing.T) {
	rows := make([]stageRow, 1000)
	weight := 0.0
	for i := range rows {
		rows[i] = stageRow{near: float64(i), target: float64(i) / 1000, weight: float64(1 + i%3)}
		weight += rows[i].weight
	}
	if got := thinRows(rows, 1000); len(got) != 1000 || &got[0] != &rows[0] {
		t.Error("rows that fit are not left as they are")
	}
	thin := thinRows(rows, 64)
	sum := 0.0
	for k, r := range thin {
		sum += r.weight
		// Runs of 1000/64 = 15 or 16 rows: the middle one is within 8 of both ends.
		if at := float64(k) * 1000 / 64; r.near < at || r.near > at+16 || r.target != r.near/1000 {
			t.Errorf("row %d is that of %g", k, r.near)
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
	rows := make([]stageRow, n)
	for i := range rows {
		x := (float64(i) + 0.5) / float64(n)
		rows[i] = stageRow{near: x, far: x, target: x, weight: 1}
	}
	law, _, status := fitStages(rows, math.Inf(-1), math.Inf(1))
	for _, x := range []float64{0.1, 0.5, 0.9} {
		if math.Abs(law.CDF(x)-x) > 1e-4 {
			t.Errorf("%s: %+v has CDF %g at %g", status, law, law.CDF(x), x)
		}
	}
}
