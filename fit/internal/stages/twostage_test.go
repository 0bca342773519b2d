package stages

import (
	"math"
	"testing"
)

// The fit recovers a uniform law on [0, 1] from more points than it examines: its distribution
// function is a straight line.
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
