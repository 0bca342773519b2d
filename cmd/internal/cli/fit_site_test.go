package cli

import (
	"bytes"
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

// Interactive and batch jobs are told apart by the header's names, by a number and by a name
// that is given: the laws and the model are the same.
func TestFitByKind(t *testing.T) {
	t.Parallel()
	log := twoKinds(t)
	var first, firstModel string
	for _, args := range [][]string{{"--by", "kind"}, {"--interactive", "queue_id=0"}, {"--interactive", "queue_id=interactive"}} {
		path := filepath.Join(t.TempDir(), "site.json")
		got := loadstone(t, "", append([]string{"-q", "fit", log, "--family", "gamma", "--format", "json", "-o", path}, args...)...)
		if first == "" {
			first, firstModel = got.out, mustRead(t, path)
		}
		if got.code != exitDone || got.out != first || mustRead(t, path) != firstModel {
			t.Errorf("%q: exit code %d, %s: other fits or another model than by the header", args, got.code, got.err)
		}
		if site := modelIn(t, path); len(site.Classes) != 2 || site.Classes[1].Name != "batch" || site.Classes[1].Value != 1 || site.Classes[0].Column != "queue_id" {
			t.Errorf("%q: model of %+v", args, site.Classes)
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
