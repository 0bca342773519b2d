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
	for _, tt := range []struct {
		by   workload.ClassColumn
		set  func(*workload.Job)
		want string
	}{
		{workload.ClassColumn{Column: "size"}, func(j *workload.Job) { j.Size = 1 }, "size=1"},
		{workload.ClassColumn{Column: "size"}, func(j *workload.Job) { j.Size = 2 }, "size=2"},
		{workload.ClassColumn{Column: "size"}, func(j *workload.Job) { j.Size = 64 }, "size=33-64"},
		{workload.ClassColumn{Column: "size"}, func(j *workload.Job) { j.Size = 65 }, "size=65-128"},
		{workload.ClassColumn{Column: "size"}, func(j *workload.Job) { j.Size = 0 }, "size<=0"},
		{workload.ClassColumn{Column: "size"}, func(*workload.Job) {}, "size unknown"},
		{workload.ClassColumn{Column: "size", Edges: []float64{1, 32}}, func(j *workload.Job) { j.Size = 1 }, "size<=1"},
		{workload.ClassColumn{Column: "size", Edges: []float64{1, 32}}, func(j *workload.Job) { j.Size = 32 }, "size=2-32"},
		{workload.ClassColumn{Column: "size", Edges: []float64{1, 32}}, func(j *workload.Job) { j.Size = 33 }, "size>32"},
		{workload.ClassColumn{Column: "requested_memory_kb"}, func(j *workload.Job) { j.Memory = 16384 }, "requested_memory_kb=8192..16384"},
		{workload.ClassColumn{Column: "requested_memory_kb"}, func(j *workload.Job) { j.Memory = 16385 }, "requested_memory_kb=16384..32768"},
		{workload.ClassColumn{Column: "used_memory_kb"}, func(j *workload.Job) { j.UsedMemory = 0.3 }, "used_memory_kb=0.25..0.5"},
		{workload.ClassColumn{Column: "requested_time_s"}, func(j *workload.Job) { j.Time = math.Inf(1) }, "requested_time_s unknown"},
		{workload.ClassColumn{Column: "requested_processors"}, func(j *workload.Job) { j.Processors = 7 }, "requested_processors=5-8"},
		{workload.ClassColumn{Column: "allocated_processors"}, func(j *workload.Job) { j.Allocated = 8 }, "allocated_processors=5-8"},
		{workload.ClassColumn{Column: "user_id"}, func(j *workload.Job) { j.User = -4 }, "user_id=-4"},
		{workload.ClassColumn{Column: "queue_id", Groups: map[int64]string{3: "short", 4: "short", 5: "long"}}, func(j *workload.Job) { j.Queue = 4 }, "short"},
		{workload.ClassColumn{Column: "queue_id", Groups: map[int64]string{3: "short", 5: "long"}}, func(j *workload.Job) { j.Queue = 9 }, "other"},
		{workload.ClassColumn{Column: "queue_id", Groups: map[int64]string{3: "short"}}, func(*workload.Job) {}, "queue_id unknown"},
	} {
		classes, _ := collectClasses(t, fittest.Jobs(1, func(_ int, j *workload.Job) { tt.set(j) }), Options{By: []workload.ClassColumn{tt.by}})
		if classes[0].Label != tt.want {
			t.Errorf("%+v: class is %q, want %q", tt.by, classes[0].Label, tt.want)
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
