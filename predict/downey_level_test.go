package predict

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// A bound of DowneyAExact holds where the level of what came is below its
// quantile, whatever the law.
func TestLevelTellsWhichBoundsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	var jobs []workload.Job
	at := 0.0
	for i := range 1500 {
		at += rng.ExpFloat64() * 200
		j := sized(at, math.Exp(rng.Float64()*8), 1+rng.Int64N(8))
		if i%3 == 0 {
			j.Run = law.Law.TMin / 2 // before that the law has no end
		}
		jobs = append(jobs, j)
	}
	quantiles := []float64{0.05, 0.25, 0.5, 0.75, 0.95, 0.99}
	var predictors []HeadPredictor
	for _, q := range quantiles {
		predictors = append(predictors, DowneyAExact{law, q})
	}
	held, missed := 0, 0
	for row, err := range AtHead(stream(jobs), HeadConfig{Processors: 16, Predictors: predictors, Level: law}) {
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range quantiles {
			bound := row.Predictions[i].Seconds
			if got, want := row.Level < q, row.Actual <= bound; got != want {
				t.Errorf("level %g: the bound %g at %g holds for %g: %t, want %t", row.Level, bound, q, row.Actual, got, want)
			}
			if row.Actual <= bound {
				held++
			} else {
				missed++
			}
		}
	}
	if held < 200 || missed < 200 {
		t.Errorf("%d held, %d missed: too few to tell", held, missed)
	}
	for row := range AtHead(stream(jobs), HeadConfig{Processors: 16}) {
		if !math.IsNaN(row.Level) {
			t.Fatalf("level %g, without lifetimes", row.Level)
		}
	}
}
