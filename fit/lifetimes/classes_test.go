package lifetimes

import (
	"errors"
	"iter"
	"math"
	"strings"
	"testing"
	"time"

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

// TestLifetimeCollectorIsBounded: more classes and run times than there is
// room for are counted, rounded, or both, and every job is accounted for.
func TestLifetimeCollectorIsBounded(t *testing.T) {
	const jobs = 3000
	c, err := NewCollector(Options{By: []workload.ClassColumn{{Column: "user_id"}}, MaxClasses: 5, MaxValues: 100})
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		j := workload.UnknownJob()
		j.User, j.Run = int64(i%7), math.Exp(float64(i%1000)/100)
		c.Add(&j)
	}
	classes, warnings := c.Classes()
	values, kept := 0, int64(0)
	for _, class := range classes {
		values += len(class.Sample.Values)
		kept += class.Jobs
		if class.Jobs != class.Sample.Jobs() {
			t.Errorf("%s: %d jobs, %d in the sample", class.Label, class.Jobs, class.Sample.Jobs())
		}
	}
	if len(classes) != 5 || values > 100 || kept+c.crowded != jobs || len(warnings) != 2 {
		t.Errorf("%d classes, %d values, %d jobs and %d left out, warnings %q; want 5, at most 100, %d together, 2", len(classes), values, kept, c.crowded, warnings, jobs)
	}
	if got := rounded(1000, 6); got != 1008 && got != 992 && got != 1000 {
		t.Errorf("1000 to six binary digits is %g", got)
	}
	if got := rounded(1003, 6); got != 1008 {
		t.Errorf("1003 to six binary digits (steps of 16) is %g, want 1008", got)
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
		{by(workload.ClassColumn{Column: "size", Edges: []float64{}}), "no edges"},
		{by(workload.ClassColumn{Column: "size", Edges: []float64{1, math.NaN()}}), "edge 1"},
		{by(workload.ClassColumn{Column: "size", Edges: []float64{2, 2}}), "edge 1"},
		{by(make([]workload.ClassColumn, 5)...), "5 columns"},
		{Options{MaxClasses: -1}, "below 0"},
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

func TestPeriods(t *testing.T) {
	zone, err := time.LoadLocation("US/Pacific")
	if err != nil {
		t.Fatal(err)
	}
	clock := workload.Clock{Start: time.Date(1995, 12, 27, 10, 53, 57, 0, zone), Known: true}
	months, err := workload.Months(clock, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		at    time.Time
		label string
	}{
		{clock.Start, "1995-09 to 1995-12"},
		{time.Date(1995, 12, 31, 23, 59, 59, 0, zone), "1995-09 to 1995-12"},
		{time.Date(1996, 1, 1, 0, 0, 0, 0, zone), "1996-01 to 1996-04"},
		{time.Date(1996, 4, 30, 23, 59, 59, 0, zone), "1996-01 to 1996-04"},
		{time.Date(1996, 5, 1, 0, 0, 0, 0, zone), "1996-05 to 1996-08"}, // in summer time
	} {
		s := tt.at.Sub(clock.Start).Seconds()
		n, ok := months.Number(s)
		p := months.Period(n)
		if !ok || p.Label != tt.label || !(p.From <= s && s < p.To) {
			t.Errorf("%v (%g s) is in %+v, want %s", tt.at, s, p, tt.label)
		}
	}
	parts, err := workload.Parts(100, 200, 4)
	if err != nil {
		t.Fatal(err)
	}
	for s, want := range map[float64]int64{100: 0, 124.9: 0, 125: 1, 199: 3, 200: 3} {
		if n, ok := parts.Number(s); !ok || n != want {
			t.Errorf("%g is in part %d (%v), want %d", s, n, ok, want)
		}
	}
	if p := parts.Period(1); p.From != 125 || p.To != 150 || p.Label != "part 2 of 4" {
		t.Errorf("period %+v", p)
	}
	for _, s := range []float64{99, 201, math.NaN(), math.Inf(1)} {
		if _, ok := parts.Number(s); ok {
			t.Errorf("%g is in a part", s)
		}
	}
	for _, s := range []float64{math.NaN(), math.Inf(-1), 1e300} {
		if _, ok := months.Number(s); ok {
			t.Errorf("%g is in a month", s)
		}
	}
	if n, ok := months.Number(-1e11); !ok || !(months.Period(n).From <= -1e11 && -1e11 < months.Period(n).To) {
		t.Errorf("-1e11 s is in %+v", months.Period(n))
	}
	if _, err := workload.Months(clock, 5); err == nil {
		t.Error("periods of 5 months are taken")
	}
	if _, err := workload.Parts(3, 3, 2); err == nil {
		t.Error("no time is divided")
	}
	if _, err := workload.Parts(3, 4, 0); err == nil {
		t.Error("time is divided into 0 parts")
	}
	first, last, known, err := workload.SubmitSpan(fittest.Jobs(5, func(i int, j *workload.Job) {
		j.Submit = []float64{7, math.NaN(), -2, 9, 3}[i]
	}))
	if first != -2 || last != 9 || !known || err != nil {
		t.Errorf("span from %g to %g (%v, %v), want -2 to 9", first, last, known, err)
	}
}
