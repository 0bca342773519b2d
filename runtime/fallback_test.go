package runtime

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

// TestFallback checks that a chain's prediction is that of the first of its classes that has one,
// as given by the same classes alone.
func TestFallback(t *testing.T) {
	chain := ClassesNames() // the finest last
	single, chained, err := Entries(workload.Grouping{}, chain, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		jobs := drawRequested(rt)
		alone := predictions(t, jobs, chained...)
		for id, row := range predictions(t, jobs, append(slices.Clone(single), chained...)...) {
			for i := range chained {
				want := workload.Prediction{Seconds: math.NaN()}
				for c := range slices.Backward(chain) {
					if p := row[5*c+i]; !math.IsNaN(p.Seconds) {
						want = p
						break
					}
				}
				if got := row[len(single)+i]; !same([]workload.Prediction{got, alone[id][i]}, []workload.Prediction{want, want}) {
					rt.Fatalf("job %d, %s: %v, alone %v, want %v", id, chained[i].Predictor, got, alone[id][i], want)
				}
			}
		}
	})
}

// TestFallbackOverEstimates checks that for a job whose class has no history, a rule that needs no
// history gives way to a coarser class that has one.
func TestFallbackOverEstimates(t *testing.T) {
	jobs := []workload.Job{job(0, 0, 0, 10, 1, 1), job(1, 20, 0, 10, 1, 1), job(2, 40, 0, 10, 2, 1)}
	for i := range jobs {
		jobs[i].Time = 99
	}
	_, chained, err := Entries(workload.Grouping{}, []string{"all", "user"}, []string{"tsafrir"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := predictions(t, jobs, chained...)[3][0]; p != (workload.Prediction{Seconds: 10, Observations: 2}) {
		t.Errorf("%v, want 10 s from the two jobs of another user", p)
	}
}
