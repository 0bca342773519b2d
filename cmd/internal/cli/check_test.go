package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// profileGenerated profiles a workload for a check.
func profileGenerated(_ context.Context, w *generate.Workload) (*score.Profile, error) {
	clock, _ := w.Header.Clock()
	o := score.ProfileOptions{Processors: w.Site.Processors, Clock: clock, Model: &w.Site}
	if len(w.Site.Classes) > 1 {
		var err error
		o.By = w.Site.Classes[0].Column
		if o.Classes, err = workload.NewClassifier([]workload.ClassColumn{{Column: o.By}}); err != nil {
			return nil, err
		}
	}
	p := score.NewProfile(o)
	for j, err := range w.Jobs() {
		if err != nil {
			return nil, err
		}
		p.Add(&j)
	}
	return p, nil
}

// 'check' finds a generated log as its model says, and not as another one.
func TestCheckLog(t *testing.T) {
	log := t.TempDir() + "/x.swf"
	if got := loadstone(t, "", "generate", "--model", "lublin1999-batch", "--jobs", "5000", "-o", log); got.code != exitDone {
		t.Fatal(got.err)
	}
	got := loadstone(t, "", "check", log, "--model", "lublin1999-batch")
	if got.code != exitDone || !strings.Contains(got.out, "  agrees with the model\n") || !strings.Contains(got.out, " passed, 0 failed, ") {
		t.Errorf("%d %s\n%s", got.code, got.err, got.out)
	}
	var r evaluate.CheckResult
	decode(t, &r, "check", log, "--model", "lublin1999-batch")
	if r.Schema != "loadstone.check/1" || r.Log.Jobs != 5000 || !r.Agrees() || len(r.Checks) < 10 {
		t.Errorf("%+v", r)
	}
	got = loadstone(t, "", "check", log, "--model", "lublin1999-interactive")
	if got.code != exitThreshold || !strings.Contains(got.err, "the log does not agree with model lublin1999-interactive: ") || !strings.Contains(got.out, "differs from the model") {
		t.Errorf("%d %s\n%s", got.code, got.err, got.out)
	}
	for _, args := range [][]string{{"check", log}, {"check", log, "--model", "lublin1999", "--load", "0"}} {
		if got := loadstone(t, "", args...); got.code != exitUsage {
			t.Errorf("%q: %d %s", args, got.code, got.err)
		}
	}
}

func workloadOf(t *testing.T, site model.Site, jobs int64, load float64) *generate.Workload {
	t.Helper()
	w, err := generate.New(site, generate.Options{Jobs: jobs, Seed: 5, Start: evaluate.ModelStart, Load: load})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// What is generated agrees with its model, check by check, at a false alarm
// rate of 1e-7.
func TestGeneratedAgreesWithItsModel(t *testing.T) {
	for _, c := range []struct {
		preset string
		load   float64
		checks []string // that must have been made, by class
	}{
		{model.Lublin1999Untyped, 0.7, []string{"size", "run_time", "run_time of size 1", "run_time of sizes 33-64", "interarrival", "daily_cycle"}},
		{model.Lublin1999, 0, []string{"size batch", "run_time batch", "interarrival batch", "daily_cycle interactive", "run_time of sizes 5-8 interactive"}},
	} {
		site, err := model.Preset(c.preset)
		if err != nil {
			t.Fatal(err)
		}
		w := workloadOf(t, site, 25000, c.load)
		p, err := profileGenerated(context.Background(), w)
		if err != nil {
			t.Fatal(err)
		}
		m := score.CheckModel(p, w.Site, score.CheckOptions{Load: w.MeanLoad(), FalseAlarm: 1e-7})
		made := map[string]bool{}
		for _, k := range m.Checks {
			if k.Failed() {
				t.Errorf("%s: %+v", c.preset, k)
			}
			if k.Passed() {
				made[strings.TrimSpace(k.What+" "+k.Class)] = true
			}
		}
		for _, name := range c.checks {
			if !made[name] {
				t.Errorf("%s: %s was not checked: %+v", c.preset, name, m.Checks)
			}
		}
	}
}

// A workload of another model fails the check that is about what differs, and
// passes the others.
func TestCheckFindsWhatDiffers(t *testing.T) {
	preset, err := model.Preset(model.Lublin1999Untyped)
	if err != nil {
		t.Fatal(err)
	}
	w := workloadOf(t, preset, 20000, 0)
	p, err := profileGenerated(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what   string // the beginning of the checks that fail
		change func(*model.Class)
	}{
		{"size", lublin(func(l *model.Lublin) { l.Sizes.SerialShare += 0.03 })},
		{"size", lublin(func(l *model.Lublin) { l.Log2.P -= 0.05 })},
		{"run_time", lublin(func(l *model.Lublin) { l.RunTimes.Law.First.Shape *= 1.05 })},
		{"run_time of size", lublin(func(l *model.Lublin) { l.RunTimes.PSlope, l.RunTimes.PIntercept = -0.008, 0.815 })},
		{"interarrival", lublin(func(l *model.Lublin) { l.Gaps.Peak.Shape *= 1.03 })},
		{"daily_cycle", lublin(func(l *model.Lublin) { l.Cycle.Shape *= 1.25 })},
	} {
		other := preset
		other.Classes = append([]model.Class{}, preset.Classes...)
		c.change(&other.Classes[0])
		profile := p
		if c.what == "daily_cycle" {
			// The model's time is its own: gather it.
			w := workloadOf(t, preset, 20000, 0)
			w.Site = other
			if profile, err = profileGenerated(context.Background(), w); err != nil {
				t.Fatal(err)
			}
		}
		failed := ""
		for _, k := range score.CheckModel(profile, other, score.CheckOptions{}).Checks {
			if k.Failed() {
				failed += k.What + "; "
			}
		}
		if !strings.Contains(failed, c.what) {
			t.Errorf("%s: failed: %q", c.what, failed)
		}
		if c.what == "size" && strings.Contains(failed, "interarrival") || c.what == "interarrival" && strings.Contains(failed, "size") {
			t.Errorf("%s: what does not differ failed: %q", c.what, failed)
		}
	}
}

func TestCheckGeneratedSays(t *testing.T) {
	preset, err := model.Preset(model.Lublin1999Untyped)
	if err != nil {
		t.Fatal(err)
	}
	w := workloadOf(t, preset, 2000, 0)
	var told strings.Builder
	a := &app{Streams: Streams{strings.NewReader(""), io.Discard, &told}}
	if err := checkGenerated(context.Background(), a, w); err != nil || !strings.Contains(told.String(), "  agrees with the model") || strings.Contains(told.String(), "NaN") {
		t.Errorf("%v\n%s", err, told.String())
	}
	// The laws of another model.
	w.Site.Classes = append([]model.Class{}, w.Site.Classes...)
	lublin(func(l *model.Lublin) { l.Sizes.SerialShare = 0.9 })(&w.Site.Classes[0])
	told.Reset()
	if err := checkGenerated(context.Background(), a, w); err == nil || !strings.Contains(err.Error(), "checks failed") || !strings.Contains(told.String(), "differs from the model") {
		t.Errorf("%v\n%s", err, told.String())
	}
	// A handful of jobs is not enough for all, and that is said.
	w = workloadOf(t, preset, 1, 0)
	told.Reset()
	if err := checkGenerated(context.Background(), a, w); err != nil || !strings.Contains(told.String(), "not checked: fewer than two submissions") {
		t.Errorf("%v\n%s", err, told.String())
	}
}

// A model that 'fit' wrote, with how its jobs wait, is checked like another.
func TestCheckOfAFittedModel(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{
		{"generate", "--model", "lublin1999-batch", "--jobs", "2000", "-o", "jobs.swf"},
		{"fit", "jobs.swf", "--form", "lublin2003", "-o", "site.json"},
		{"generate", "--model", "site.json", "--jobs", "2000", "--check", "-o", "new.swf"},
	} {
		if got := loadstone(t, "", args...); got.code != exitDone {
			t.Fatalf("%q: %d\n%s", args, got.code, got.err)
		}
	}
	if site := modelIn(t, "site.json"); site.Check == nil {
		t.Error("the model has no check of waits: the test is worth nothing")
	}
}

// A workload that was brought to a load is its model's, with the interarrival times
// of the draw: few jobs of a heavy tail have another load than their mean.
func TestCheckOfALoad(t *testing.T) {
	for _, seed := range []string{"1", "2", "3"} {
		got := loadstone(t, "", "generate", "--model", "lublin2003", "--jobs", "10000", "--procs", "128", "--load", "0.6", "--seed", seed, "--check", "-o", t.TempDir()+"/x.swf")
		if got.code != exitDone || !strings.Contains(got.err, " 0 failed") {
			t.Errorf("seed %s: %d\n%s", seed, got.code, got.err)
		}
	}
}

// The table of checks ends with how many passed: as many as say so.
func TestCheckSummary(t *testing.T) {
	got := loadstone(t, "", "generate", "--model", "lublin1999-batch", "--jobs", "2000", "--check", "-o", t.TempDir()+"/x.swf")
	all := lines(got.err)
	passed, unchecked := 0, 0
	for _, line := range all {
		switch {
		case strings.HasSuffix(line, "  agrees with the model"):
			passed++
		case strings.Contains(line, "not checked: "):
			unchecked++
		}
	}
	want := fmt.Sprintf("%d checks: %d passed, 0 failed, %d not checked", passed+unchecked, passed, unchecked)
	if got.code != exitDone || passed == 0 || !slices.Contains(all, want) {
		t.Errorf("exit code %d, no %q in\n%s", got.code, want, got.err)
	}
}
