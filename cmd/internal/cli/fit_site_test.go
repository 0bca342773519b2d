package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
)

// twoKinds is a log of 1000 interactive and batch jobs, in the queues 0 and 1.
func twoKinds(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kinds.swf")
	if got := loadstone(t, "", "-q", "generate", "--model", "lublin1999", "--jobs", "1000", "--seed", "9", "-o", path); got.code != exitDone {
		t.Fatal(got.err)
	}
	return path
}

// modelIn reads a model file.
func modelIn(t *testing.T, path string) model.Site {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	site, err := model.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return site
}

// jobsByQueue counts a log's jobs by the 15th field of SWF.
func jobsByQueue(t *testing.T, path string) map[string]int64 {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 18 && !strings.HasPrefix(line, ";") {
			n[f[14]]++
		}
	}
	return n
}

type siteJSON struct {
	Column  *string
	Classes []struct {
		Name   string
		Jobs   int64
		BySize []struct {
			Smallest, Largest int64
		} `json:"by_size"`
		Arrivals struct {
			MinGap float64 `json:"min_gap_s"`
			Cycle  struct {
				Peaks []struct {
					Name string
					From float64 `json:"from_h"`
					To   float64 `json:"to_h"`
				} `json:"automatic_peaks"`
			}
		}
	}
}

// Interactive and batch jobs are told apart by the header's names, by a number
// and by a name that is given, and all jobs are fitted beside them.
func TestFitByKind(t *testing.T) {
	t.Parallel()
	log := twoKinds(t)
	jobs := jobsByQueue(t, log)
	if jobs["0"] == 0 || jobs["1"] == 0 {
		t.Fatalf("jobs by queue: %v", jobs)
	}
	var first model.Site
	for _, args := range [][]string{{"--by", "kind"}, {"--interactive", "queue_id=0"}, {"--interactive", "queue_id=interactive"}} {
		path := filepath.Join(t.TempDir(), "site.json")
		got := loadstone(t, "", append([]string{"-q", "fit", log, "--family", "gamma", "--format", "json", "-o", path}, args...)...)
		var js struct {
			Fits []struct{ By string }
			Site siteJSON
			All  siteJSON `json:"site_of_all_jobs"`
		}
		if err := json.Unmarshal([]byte(got.out), &js); got.code != exitDone || err != nil {
			t.Fatalf("%q: exit code %d, %v: %s", args, got.code, err, got.err)
		}
		if len(js.Fits) != 3 || js.Fits[0].By != "all" || js.Fits[1].By != "interactive" || js.Fits[2].By != "batch" {
			t.Errorf("%q: fits of %+v", args, js.Fits)
		}
		c := js.Site.Classes
		if len(c) != 2 || c[0].Name != "interactive" || c[0].Jobs != jobs["0"] || c[1].Name != "batch" || c[1].Jobs != jobs["1"] {
			t.Errorf("%q: classes %+v, jobs %v", args, c, jobs)
		}
		if len(js.All.Classes) != 1 || js.All.Classes[0].Jobs != 1000 {
			t.Errorf("%q: all jobs: %+v", args, js.All.Classes)
		}
		site := modelIn(t, path)
		if len(site.Classes) != 2 || site.Classes[0].Value != 0 || site.Classes[1].Value != 1 || site.Classes[0].Column != "queue_id" {
			t.Errorf("%q: model of %+v", args, site.Classes)
		}
		if first.Classes == nil {
			first = site
		} else if first.Classes[0].Lublin().RunTimes.Law != site.Classes[0].Lublin().RunTimes.Law {
			t.Errorf("%q: another model than by the header", args)
		}
	}
	// All jobs told apart, the table has a row for each and for all.
	out := loadstone(t, "", "-q", "fit", log, "--family", "gamma", "--by", "kind").out
	_, table, _ := strings.Cut(out, "model of")
	for _, want := range []string{"\nall ", "\ninteractive ", "\nbatch "} {
		if !strings.Contains(table, want) {
			t.Errorf("no row %q in\n%s", want, table)
		}
	}
	// The other way round, all is called by the other name.
	if got := loadstone(t, "", "fit", log, "--family", "gamma", "--interactive", "queue_id=7"); got.code != exitDone || !strings.Contains(got.err, "all jobs with a queue_id are batch") {
		t.Errorf("exit code %d: %s", got.code, got.err)
	}
}

// What is asked of a site is what is fitted.
func TestFitSiteOptions(t *testing.T) {
	log := generated(t)
	path := filepath.Join(t.TempDir(), "site.json")
	got := loadstone(t, "", "-q", "fit", log, "--family", "gamma", "--format", "json", "-o", path, "--p-form", "constant",
		"--size-ranges", "1,2-8,9-128", "--automatic-peak", "3:00-4:30", "--min-gap", "5")
	var js struct{ Site siteJSON }
	if err := json.Unmarshal([]byte(got.out), &js); got.code != exitDone || err != nil {
		t.Fatalf("exit code %d, %v: %s", got.code, err, got.err)
	}
	c := js.Site.Classes[0]
	if len(c.BySize) != 3 || c.BySize[0].Largest != 1 || c.BySize[1].Smallest != 2 || c.BySize[2].Largest != 128 {
		t.Errorf("sizes %+v", c.BySize)
	}
	if a := c.Arrivals; a.MinGap != 5 {
		t.Errorf("gaps %+v", a)
	}
	if p := c.Arrivals.Cycle.Peaks; len(p) != 1 || p[0].From != 3 || p[0].To != 4.5 {
		t.Errorf("automatic peaks %+v", p)
	}
	if run := modelIn(t, path).Classes[0].Lublin().RunTimes; run.PSlope != 0 || run.PForm != model.Linear {
		t.Errorf("p(size) is %g + %g size, form %q, want a constant", run.PIntercept, run.PSlope, run.PForm)
	}
	if got := loadstone(t, "", "-q", "fit", log, "--family", "gamma", "-o", path, "--p-form", "log-odds"); got.code != exitDone || modelIn(t, path).Classes[0].Lublin().RunTimes.PForm != model.LogOdds {
		t.Errorf("exit code %d: %s", got.code, got.err)
	}
	for show, want := range map[string][]string{
		"none":  nil,
		"brief": {"model of"},
		"full":  {"model of", "ln of run time and of total work", "log-odds", "weekly cycle", "expected slots", "gamma"},
	} {
		out := loadstone(t, "", "-q", "fit", log, "--family", "weibull", "--site", show).out
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("--site %s has no %q:\n%s", show, w, out)
			}
		}
		if show == "none" && strings.Contains(out, "model of") || show == "brief" && strings.Contains(out, "log-odds") {
			t.Errorf("--site %s prints more:\n%s", show, out)
		}
	}
}

// A representative model is a model (fit/site.TestRepresentativeSite has its laws), made of logs and of models alike.
func TestFitRepresentative(t *testing.T) {
	log, folder := generated(t), t.TempDir()
	other := filepath.Join(folder, "other.json")
	if got := loadstone(t, "", "-q", "fit", twoKinds(t), "--family", "gamma", "-o", other); got.code != exitDone {
		t.Fatal(got.err)
	}
	one, both := filepath.Join(folder, "one.json"), filepath.Join(folder, "both.json")
	if got := loadstone(t, "", "-q", "fit", log, "--family", "gamma", "--p-form", "linear", "-o", one); got.code != exitDone {
		t.Fatal(got.err)
	}
	got := loadstone(t, "", "-q", "fit", log, other, "--form", "lublin2003", "-o", both)
	if got.code != exitDone {
		t.Fatal(got.err)
	}
	for _, want := range []string{"model of 2 sites by average, 128 processors", "\nboth ", "ln work"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	got = loadstone(t, "", "-q", "fit", one, other, "--form", "lublin2003", "--format", "json")
	var js struct {
		Schema, Method string
		Sites          []struct {
			Input string
			Model json.RawMessage
		}
		Model struct{ Model json.RawMessage }
	}
	if err := json.Unmarshal([]byte(got.out), &js); err != nil || js.Schema != "loadstone.fit-representative/1" || len(js.Sites) != 2 || js.Sites[0].Input != one {
		t.Fatalf("%v: %+v", err, js)
	}
	if _, err := model.Decode(bytes.NewReader(js.Model.Model)); err != nil {
		t.Error(err)
	}
	if got := loadstone(t, "", "-q", "fit", one, other, "--form", "lublin2003", "--format", "csv"); !strings.Contains(got.out, "representative,all,run_time_p,") {
		t.Error(got.out)
	}
	if got := loadstone(t, "", "-q", "generate", "--model", both, "--jobs", "5"); got.code != exitDone {
		t.Error(got.err)
	}
}

func TestFitSiteUsage(t *testing.T) {
	log := twoKinds(t)
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{log, "--by", "shoe"}, "want one or more of all, user"},
		{[]string{log, "--interactive", "queue_id"}, "want column=value"},
		{[]string{log, "--interactive", "queue=1"}, "want column=value"},
		{[]string{log, "--interactive", "queue_id=1,"}, "want values, none of which is empty"},
		{[]string{log, "--interactive", "queue_id=0", "--by", "user_id"}, "--by user_id"},
		{[]string{log, "--automatic-peak", "3"}, "want two times of day"},
		{[]string{log, "--automatic-peak", "3:15-4:00"}, "want a full or half hour"},
		{[]string{log, "--automatic-peak", "4:00-3:00"}, "it ends before it begins"},
		{[]string{log, "--automatic-peak", "1:00-23:00"}, "at most 12"},
		{[]string{log, "--size-ranges", "0-4"}, `saw "0-4"`},
		{[]string{log, "--size-ranges", "4-x"}, `saw "4-x"`},
		{[]string{log, "--p-form", "square"}, "linear, log-odds, constant"},
		{[]string{log, "--min-gap", "0.5"}, "--min-gap 0.5"},
		{[]string{log, "--min-gap", "NaN"}, "--min-gap NaN"},
		{[]string{log, "--least-jobs", "1"}, "--least-jobs 1"},
		{[]string{log, ""}, "name is empty"},
		{[]string{"-", "-"}, "standard input can be only one"},
		{[]string{log, log, "--form", "lublin2003", "--combine", "median"}, "average, search"},
		{[]string{log, log, "--form", "lublin2003", "--family", "gamma"}, "--family does not go with several logs, to which only the model of each site is fitted"},
		{[]string{log, "--interactive", "queue_id=night"}, `interactive=night: the header names no such queue: want a number, or one of batch, interactive`},
		{[]string{generated(t), "--by", "kind"}, "--interactive is missing, and the header calls no partition or queue interactive"},
	} {
		got := loadstone(t, "", append([]string{"fit"}, x.args...)...)
		if got.code != exitUsage || !strings.Contains(got.err, x.want) {
			t.Errorf("%q: exit code %d, want %d and %q in %q", x.args, got.code, exitUsage, x.want, got.err)
		}
	}
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{log, filepath.Join(t.TempDir(), "no.json"), "--form", "lublin2003"}, "no such model file"},
	} {
		got := loadstone(t, "", append([]string{"fit"}, x.args...)...)
		if got.code == exitDone || got.code == exitUsage || !strings.Contains(got.err, x.want) || got.out != "" {
			t.Errorf("%q: exit code %d, want %q in %q, and nothing in %q", x.args, got.code, x.want, got.err, got.out)
		}
	}
}

// A class with few jobs is said and not fitted, and what many families fail
// for is said once.
func TestFitFewJobs(t *testing.T) {
	var b strings.Builder
	b.WriteString("job_id,submit_time_s,run_time_s,allocated_processors,queue_id\n")
	for i := range 203 {
		queue, run := 1, 60
		if i < 3 {
			queue, run = 2, 100*i
		}
		fmt.Fprintf(&b, "%d,%d,%d,4,%d\n", i+1, 100*i, run, queue)
	}
	path := filepath.Join(t.TempDir(), "few.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, show := range []string{"brief", "none"} {
		got := loadstone(t, "", "fit", path, "--by", "queue_id", "--site", show)
		if got.code != exitDone || !strings.Contains(got.err, "class queue_id=2 is not fitted: 3 jobs, want at least 100") {
			t.Errorf("--site %s: exit code %d: %s", show, got.code, got.err)
		}
		if strings.Contains(got.out, "queue_id=2") || !strings.Contains(got.out, "exponential") {
			t.Errorf("--site %s:\n%s", show, got.out)
		}
		if n := strings.Count(got.err, "few.csv: gamma, log-normal, weibull, pareto, uniform of run_time (queue_id=1): 200 jobs with 1 distinct value can be used"); n != 1 {
			t.Errorf("%d times said why:\n%s", n, got.err)
		}
	}
	if got := loadstone(t, "", "-q", "fit", path, "--by", "queue_id", "--least-jobs", "3", "--family", "exponential"); !strings.Contains(got.out, "queue_id=2") {
		t.Errorf("%s%s", got.out, got.err)
	}
}

// What a mode has no use for is refused, and what a model does not hold is said.
func TestFitModes(t *testing.T) {
	log := generated(t)
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{"--site", "none", "--p-form", "constant"}, "--p-form does not go with --site none"},
	} {
		if got := loadstone(t, "", append([]string{"fit", log}, x.args...)...); got.code != exitUsage || !strings.Contains(got.err, x.want) {
			t.Errorf("%q: exit code %d, want %d and %q in %q", x.args, got.code, exitUsage, x.want, got.err)
		}
	}
}

// Models of other forms than a log's fit have no average, and no log's flags.
func TestRepresentativeOfOtherForms(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"lublin2003", "lublin1999-batch", "lublin2003-work"} {
		files = append(files, filepath.Join(dir, name+".json"))
		if err := os.WriteFile(files[len(files)-1], []byte(loadstone(t, "", "models", "show", name).out), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := loadstone(t, "", "fit", "--form", "lublin2003", files[0], files[2])
	if got.code != exitFailed || !strings.Contains(got.err, "lublin2003-work has work with a speedup instead of run times") {
		t.Errorf("%d: %s", got.code, got.err)
	}
	got = loadstone(t, "", "fit", "--form", "lublin2003", files[0], files[1], "--p-form", "constant")
	if got.code != exitUsage || !strings.Contains(got.err, "--p-form does not go with model files alone, which fits no log") {
		t.Errorf("%d: %s", got.code, got.err)
	}
	if got = loadstone(t, "", "fit", "--form", "lublin2003", files[0], files[1]); got.code != exitDone {
		t.Errorf("%d: %s", got.code, got.err)
	}
}
