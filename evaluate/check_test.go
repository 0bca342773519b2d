package evaluate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// generatedLog draws a log from a model.
func generatedLog(t *testing.T, name string, jobs int64) (*workload.Log, model.Site) {
	t.Helper()
	site, err := model.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := generate.New(site, generate.Options{Jobs: jobs, Seed: 2, Start: ModelStart})
	if err != nil {
		t.Fatal(err)
	}
	log, read := workload.NewLog("made", "held")
	log.Header, read.Batches = w.Header.Clone(), workload.Batches(w.Jobs(), nil)
	return log, site
}

func checkOf(t *testing.T, r *CheckResult, what, class string) score.Check {
	t.Helper()
	i := slices.IndexFunc(r.Checks, func(c score.Check) bool { return c.What == what && c.Class == class })
	if i < 0 {
		t.Fatalf("no check of %s %s: %+v", what, class, r.Checks)
	}
	return r.Checks[i]
}

// A log of a model with two classes: jobs are told by the model's column, and each
// class is held against its own laws.
func TestCheckByClass(t *testing.T) {
	log, site := generatedLog(t, model.Lublin1999, 5000)
	r, err := Check(context.Background(), log, site, score.CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Schema != "loadstone.check/1" || r.Log != (workload.Summary{Name: "made", Jobs: 5000}) || r.Model != model.Lublin1999 || !r.Agrees() || len(r.Warnings) != 0 {
		t.Errorf("%+v", r)
	}
	var jobs int64
	for _, c := range site.Classes {
		x := checkOf(t, r, "size", c.Name)
		if !x.Passed() {
			t.Errorf("%+v", x)
		}
		jobs += x.N
	}
	if jobs != 5000 {
		t.Errorf("%d jobs in the classes", jobs)
	}
	// With the laws of the classes changed about, nothing agrees.
	log, _ = generatedLog(t, model.Lublin1999, 5000)
	other := site
	other.Classes = slices.Clone(site.Classes)
	other.Classes[0].Value, other.Classes[1].Value = site.Classes[1].Value, site.Classes[0].Value
	if r, err = Check(context.Background(), log, other, score.CheckOptions{}); err != nil || r.Agrees() || !checkOf(t, r, "run_time", site.Classes[0].Name).Failed() {
		t.Errorf("%v %+v", err, r)
	}
}

// A model is moved to the machine of the log, as the generator does it: from 128
// processors to 512. Without a header it stays on its own. One that cannot be moved
// there is a fault.
func TestCheckOnAnotherMachine(t *testing.T) {
	site, err := model.Preset(model.Lublin1999Batch)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		procs  int64
		header string
		agrees bool
	}{{512, "512", true}, {512, "", false}, {128, "128", true}, {128, "", true}, {128, "512", false}} {
		w, err := generate.New(site, generate.Options{Jobs: 5000, Seed: 2, Start: ModelStart, Processors: c.procs})
		if err != nil {
			t.Fatal(err)
		}
		log, read := workload.NewLog("made", "held")
		log.Header, read.Batches = w.Header.Clone(), workload.Batches(w.Jobs(), nil)
		log.Header.Set("MaxProcs", c.header)
		log.Header.Set("MaxNodes", "")
		r, err := Check(context.Background(), log, site, score.CheckOptions{})
		if err != nil || r.Agrees() != c.agrees || checkOf(t, r, "size", "").Passed() != c.agrees {
			t.Errorf("%+v: %v %+v", c, err, r)
		}
	}
	var scale *model.ScaleError
	if _, err := Check(context.Background(), open(t, strings.Replace(fourJobs, "MaxProcs: 4", "MaxProcs: 1", 1)), site, score.CheckOptions{}); !errors.As(err, &scale) {
		t.Errorf("%v", err)
	}
}

func TestCheckWithoutJobsOrClock(t *testing.T) {
	site, err := model.Preset(model.Lublin1999Untyped)
	if err != nil {
		t.Fatal(err)
	}
	few := strings.Replace(fourJobs, "MaxProcs: 4", "MaxProcs: 128", 1)
	if _, err := Check(context.Background(), open(t, "; MaxProcs: 128\n"), site, score.CheckOptions{}); !errors.Is(err, workload.ErrNoJobs) {
		t.Errorf("%v", err)
	}
	r, err := Check(context.Background(), open(t, few), site, score.CheckOptions{FalseAlarm: .01})
	if err != nil || r.Log.Jobs != 4 || r.FalseAlarm != .01 || len(r.Warnings) != 1 || r.Warnings[0].Rule != "header-clock" {
		t.Errorf("%v %+v", err, r)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Check(ctx, open(t, few), site, score.CheckOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
