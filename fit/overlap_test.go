package fit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func classOfRuns(label string, runs ...float64) LifetimeClass {
	return LifetimeClass{Label: label, Jobs: int64(len(runs)), Sample: NewSample(RunTime, runs)}
}

// TestOverlapByHand: short's median is 3, long's (10+30)/2 = 20. Of short's
// five jobs one is above 20 and two above 3; of long's four two are above 20,
// three above 3 and one below 3.
func TestOverlapByHand(t *testing.T) {
	got := NewOverlap([]LifetimeClass{
		classOfRuns("short", 1, 2, 3, 20, 25),
		classOfRuns("rare", 5),
		classOfRuns("long", 2, 10, 30, 40),
		classOfRuns("none"),
	}, 2)
	want := Overlap{
		Labels: []string{"short", "long"}, Jobs: []int64{5, 4}, Medians: []float64{3, 20},
		Longer:  [][]float64{{0.4, 0.2}, {0.75, 0.5}},
		Shorter: [][]float64{{0.4, 0.6}, {0.25, 0.5}},
		Skipped: []SkippedClass{{"rare", 1, fewJobs(1, 2)}, {"none", 0, fewJobs(0, 2)}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if few := NewOverlap([]LifetimeClass{classOfRuns("none")}, -1); len(few.Labels) != 0 {
		t.Errorf("a class without jobs: %+v", few)
	}
}
