package lifetimes

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
)

func classOfRuns(label string, runs ...float64) Class {
	return Class{Label: label, Jobs: int64(len(runs)), Sample: fit.NewSample(fit.RunTime, runs)}
}

// TestOverlapByHand: the median of short is 3, that of long is (10+30)/2 = 20. Of the five jobs
// of short one is above 20 and two above 3; of the four of long two are above 20, three above 3
// and one below 3.
func TestOverlapByHand(t *testing.T) {
	got := NewOverlap([]Class{
		classOfRuns("short", 1, 2, 3, 20, 25),
		classOfRuns("rare", 5),
		classOfRuns("long", 2, 10, 30, 40),
		classOfRuns("none"),
	}, 2)
	want := Overlap{
		Labels: []string{"short", "long"}, Medians: []stats.Number{3, 20},
		Longer: [][]stats.Number{{0.4, 0.2}, {0.75, 0.5}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if few := NewOverlap([]Class{classOfRuns("none")}, -1); len(few.Labels) != 0 {
		t.Errorf("a class without jobs: %+v", few)
	}
}
