package lifetimes

import (
	"errors"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/workload"
)

func collectClasses(t *testing.T, jobs iter.Seq2[workload.Job, error], o Options) ([]Class, []string) {
	t.Helper()
	classes, warnings, err := Collect(jobs, o)
	if err != nil {
		t.Fatal(err)
	}
	return classes, warnings
}

// TestLifetimeClassesByHand: seven jobs by queue and size, one without a
// queue, one without a run time.
func TestLifetimeClassesByHand(t *testing.T) {
	queue := []int64{2, 2, 1, 2, workload.Unknown, 2, 1}
	size := []int64{5, 8, 1, 9, 3, 6, 1}
	run := []float64{100, 100, 7, 50, 60, math.NaN(), 0}
	classes, warnings := collectClasses(t, fittest.Jobs(7, func(i int, j *workload.Job) {
		j.Queue, j.Size, j.Run = queue[i], size[i], run[i]
	}), Options{By: []workload.ClassColumn{{Column: "queue_id"}, {Column: "size"}}})
	want := []Class{
		{Label: "queue_id=1, size=1", Cells: []string{"queue_id=1", "size=1"}, Jobs: 2, Sample: fit.Sample{Values: []float64{7}, Counts: []float64{1}, LeftOut: []fit.LeftOut{{Why: "run time not positive", Jobs: 1}}}},
		{Label: "queue_id=2, size=5-8", Cells: []string{"queue_id=2", "size=5-8"}, Jobs: 3, Sample: fit.Sample{Values: []float64{100}, Counts: []float64{2}, LeftOut: []fit.LeftOut{{Why: "run time unknown", Jobs: 1}}}},
		{Label: "queue_id=2, size=9-16", Cells: []string{"queue_id=2", "size=9-16"}, Jobs: 1, Sample: fit.Sample{Values: []float64{50}, Counts: []float64{1}}},
		{Label: "queue_id unknown, size=3-4", Cells: []string{"queue_id unknown", "size=3-4"}, Jobs: 1, Sample: fit.Sample{Values: []float64{60}, Counts: []float64{1}}},
	}
	if d := cmp.Diff(want, classes); d != "" || warnings != nil {
		t.Errorf("classes differ (warnings %v):\n%s", warnings, d)
	}
}

// TestLifetimeCollectorIsBounded checks that jobs of classes beyond the limit are counted.
func TestLifetimeCollectorIsBounded(t *testing.T) {
	classes, warnings := collectClasses(t, fittest.Jobs(2*mostClasses+2, func(i int, j *workload.Job) {
		j.User, j.Run = int64(i/2), 60
	}), Options{By: []workload.ClassColumn{{Column: "user_id"}}})
	if len(classes) != mostClasses || classes[0].Jobs != 2 || len(warnings) != 1 || !strings.Contains(warnings[0], "2 jobs left out: more than 4096 classes") {
		t.Errorf("%d classes, warnings %q; want 4096 of 2 jobs, and 2 left out", len(classes), warnings)
	}
}

func TestLifetimeOptionsRefused(t *testing.T) {
	by := func(c ...workload.ClassColumn) Options { return Options{By: c} }
	for _, tt := range []struct {
		o   Options
		err string
	}{
		{by(workload.ClassColumn{Column: "colour"}), "colour"},
		{by(workload.ClassColumn{}), `""`},
		{by(workload.ClassColumn{Column: "user_id", Edges: []float64{1}}), "edges for user_id"},
		{by(workload.ClassColumn{Column: "size", Groups: map[int64]string{1: "a"}}), "groups for size"},
		{by(workload.ClassColumn{Column: "size", Edges: []float64{1, math.NaN()}}), "edge 1"},
		{by(workload.ClassColumn{Column: "size", Edges: []float64{2, 2}}), "edge 1"},
		{by(make([]workload.ClassColumn, 5)...), "5 columns"},
	} {
		if _, _, err := Collect(fittest.Jobs(1, fittest.Plain), tt.o); err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%+v: error is %v, want one with %q", tt.o, err, tt.err)
		}
	}
	broken := errors.New("broken")
	if _, _, err := Collect(func(yield func(workload.Job, error) bool) { yield(workload.Job{}, broken) }, Options{}); !errors.Is(err, broken) {
		t.Errorf("error is %v, want the error of the jobs", err)
	}
}
