package grid

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// byHand is the log of TestPoliciesByHand, with sites.
func byHand(t *testing.T) string { return string(read(t, "two-sites.swf")) }

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func opening(text string) func() (*workload.Log, error) {
	return func() (*workload.Log, error) {
		return logfile.OpenReader("sites.swf", strings.NewReader(text), workload.Options{})
	}
}

func slowAndFast(t *testing.T) Grid {
	t.Helper()
	g, err := Decode(read(t, "two-clusters.json"))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The waits by hand are ECT-Perfect 0, 0, 0, 80, 20 and FPF 0, 0, 0, 80, 0.
func TestCompute(t *testing.T) {
	r, err := Compute(context.Background(), opening(byHand(t)), Options{Grid: slowAndFast(t), Policies: []string{"ect-perfect", "fpf"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Scores) != 2 || r.Scores[0].Wait.Mean != 20 || r.Scores[1].Wait.Mean != 16 || r.Log.Jobs != 5 || len(r.Jobs) != 5 || r.Window.Sites != 2 || r.Tau != 60 || r.Learning != nil {
		t.Errorf("got %+v", r)
	}
	if r, err = Compute(context.Background(), opening(byHand(t)), Options{Grid: slowAndFast(t)}); err != nil || len(r.Scores) != 4 || r.Learning == nil || r.Learning.History != HistoryGrid {
		t.Errorf("the zero value: %v, %+v", err, r)
	}
}

func TestComputeRefuses(t *testing.T) {
	g := slowAndFast(t)
	for _, c := range []struct {
		o      Options
		option string
	}{
		{Options{Grid: g, Days: -1}, "days"},
		{Options{Grid: g, History: "site"}, "history"},
		{Options{Grid: g, Policies: []string{"lottery"}}, "policies"},
		{Options{Grid: g, Policies: []string{"home"}}, "policies"},
		{Options{Grid: g, Classes: []string{"user-site"}}, "classes"},
	} {
		_, err := Compute(context.Background(), opening(byHand(t)), c.o)
		var option *workload.OptionError
		if !errors.As(err, &option) || option.Option != c.option || c.o.Validate() == nil {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	bare := strings.NewReplacer(" 0 1 -1 -1", " 0 -1 -1 -1", " 0 2 -1 -1", " 0 -1 -1 -1").Replace(byHand(t))
	if _, err := Compute(context.Background(), opening(bare), Options{Grid: g}); !errors.Is(err, ErrNoSites) {
		t.Errorf("a log of one machine: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compute(ctx, opening(byHand(t)), Options{Grid: g}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Two jobs of 2 processors and 500,000 s are 23 processor days, on 8 a day. What
// is said early is in the result too.
func TestComputeWarns(t *testing.T) {
	for policy, rule := range map[string]string{"lb": EarlyOverload, "ect-last2": EarlySlow} {
		var early []workload.Warning
		o := Options{Grid: slowAndFast(t), Policies: []string{policy}, Early: func(w workload.Warning) { early = append(early, w) }}
		r, err := Compute(context.Background(), opening(strings.ReplaceAll(byHand(t), " 100 2 ", " 500000 2 ")), o)
		if err != nil || len(early) != 1 || early[0].Rule != rule || !slices.Contains(r.Warnings, early[0]) {
			t.Errorf("%s: %v, %v", policy, err, early)
		}
	}
}

// A million jobs at one instant, under four policies on two cores, took 1.63 GB.
func TestStudyMemoryIsEstimated(t *testing.T) {
	if m := studyMemory(1_000_000, 4, 2); m < 1.2e9 || m > 2*1.63e9 {
		t.Errorf("%.3g bytes estimated, measured 1.63e9", m)
	}
	for jobs, want := range map[int]bool{1_000_000: false, MaxJobs: true} {
		if got, much := memoryWarning(jobs, 1, 2); much != want || want && !strings.Contains(got.Text, "most of the 4000000 jobs wait at once, the study takes up to 3.6 GB") {
			t.Errorf("%d jobs: %v", jobs, got)
		}
	}
}

// Jobs that are held are bounded before they are read.
func TestStudyHoldsSoMany(t *testing.T) {
	if err := holdable(Window{Jobs: MaxJobs}); err != nil {
		t.Error(err)
	}
	if err := holdable(Window{Jobs: MaxJobs + 1}); err == nil || !strings.Contains(err.Error(), "4000001 jobs in the days to study, want at most 4000000: study fewer days") {
		t.Error(err)
	}
}

// Job 3 of the log by hand waits for job 1 and 20 s more. Job 1 ends on fast at 50,
// so that job 3 comes at 70 instead of 10, and fast, which job 5 has left at 55,
// takes it at once, for 20 s. Job 4 is the last to end, at 120.
func TestComputeFeedback(t *testing.T) {
	closed := strings.Replace(byHand(t), "3 10 -1 40 1 -1 -1 1 -1 -1 1 1 1 1 0 1 -1 -1", "3 10 -1 40 1 -1 -1 1 -1 -1 1 1 1 1 0 1 1 20", 1)
	o := Options{Grid: slowAndFast(t), Policies: []string{"ect-perfect"}, Feedback: true}
	r, err := Compute(context.Background(), opening(closed), o)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Dependencies{"log", 1}); *r.Feedback != want {
		t.Errorf("feedback %+v, want %+v", *r.Feedback, want)
	}
	f := r.Scores[0].Feedback
	// 2 x 50, 2 x 100, 20, 4 x 20 and 5 processor seconds.
	if f.Delayed != 1 || f.DelayMean != 60 || f.DelayMax != 60 || f.Makespan != 120 || f.JobsPerDay != 5*720 || f.WorkPerDay != 405*720 {
		t.Errorf("%+v of %+v", f, f.Throughput)
	}
	if p := r.Outcomes[0].Placements[2]; p.Submit != 70 || p.Wait != 0 || p.Cluster != 1 || p.Run != 20 {
		t.Errorf("job 3: %+v", p)
	}
	o.Feedback = false
	if r, err = Compute(context.Background(), opening(closed), o); err != nil || r.Feedback != nil || r.Scores[0].Feedback != nil || r.Outcomes[0].Placements[2].Submit != 10 {
		t.Errorf("open: %v, %+v", err, r)
	}
	// Nobody is known to have waited, so that no job is found to wait for another.
	o.Feedback = true
	if r, err = Compute(context.Background(), opening(byHand(t)), o); err != nil || *r.Feedback != (Dependencies{"users", 0}) || !slices.ContainsFunc(r.Warnings, func(w workload.Warning) bool { return w.Rule == "no-dependencies" }) {
		t.Errorf("without dependencies: %v, %+v", err, r)
	}
}
