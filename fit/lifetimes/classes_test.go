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

func TestClassColumnRanges(t *testing.T) {
	edges, groups := []float64{1, 32}, map[int64]string{3: "short", 4: "short", 5: "long"}
	for _, tt := range []struct {
		column string
		value  float64 // NaN for none
		edges  []float64
		groups map[int64]string
		want   string
	}{
		{"size", 1, nil, nil, "size=1"}, {"size", 2, nil, nil, "size=2"}, {"size", 64, nil, nil, "size=33-64"},
		{"size", 65, nil, nil, "size=65-128"}, {"size", 0, nil, nil, "size<=0"}, {"size", math.NaN(), nil, nil, "size unknown"},
		{"size", 1, edges, nil, "size<=1"}, {"size", 32, edges, nil, "size=2-32"}, {"size", 33, edges, nil, "size>32"},
		{"requested_memory_kb", 16384, nil, nil, "requested_memory_kb=8192..16384"},
		{"requested_memory_kb", 16385, nil, nil, "requested_memory_kb=16384..32768"},
		{"used_memory_kb", 0.3, nil, nil, "used_memory_kb=0.25..0.5"},
		{"requested_time_s", math.Inf(1), nil, nil, "requested_time_s unknown"},
		{"requested_processors", 7, nil, nil, "requested_processors=5-8"}, {"allocated_processors", 8, nil, nil, "allocated_processors=5-8"},
		{"user_id", -4, nil, nil, "user_id=-4"},
		{"queue_id", 4, nil, groups, "short"}, {"queue_id", 9, nil, groups, "other"}, {"queue_id", math.NaN(), nil, groups, "queue_id unknown"},
	} {
		by := workload.ClassColumn{Column: tt.column, Edges: tt.edges, Groups: tt.groups}
		classes, _ := collectClasses(t, fittest.Jobs(1, func(_ int, j *workload.Job) {
			switch column := workload.FindColumn(tt.column); {
			case math.IsNaN(tt.value):
			case tt.column == "size":
				j.Size = int64(tt.value)
			case column.Float():
				column.SetNumber(j, tt.value)
			default:
				column.SetInt(j, int64(tt.value))
			}
		}), Options{By: []workload.ClassColumn{by}})
		if classes[0].Label != tt.want {
			t.Errorf("%+v of %g: class is %q, want %q", by, tt.value, classes[0].Label, tt.want)
		}
	}
}

// TestLifetimeCollectorIsBounded: jobs of more classes than there is room for are
// counted.
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
		t.Errorf("error is %v, want that of the jobs", err)
	}
}
