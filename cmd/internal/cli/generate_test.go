package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// What 'models show' prints is a model file: it gives the jobs that its name gives.
func TestModelsShow(t *testing.T) {
	var list model.List
	decode(t, &list, "models", "list")
	if alone, listed := loadstone(t, "", "models"), loadstone(t, "", "models", "list"); alone.code != exitDone || alone.out != listed.out {
		t.Errorf("'models' alone: %d %s, want the list", alone.code, alone.err)
	}
	if list.Schema != "loadstone.models/1" || len(list.Models) != len(publishedNames()) {
		t.Fatalf("%+v", list)
	}
	for _, m := range list.Models {
		shown := loadstone(t, "", "models", "show", m.Name)
		if shown.code != exitDone {
			t.Fatalf("%s: %s", m.Name, shown.err)
		}
		path := filepath.Join(t.TempDir(), "m.json")
		if got := loadstone(t, "", "models", "show", m.Name, "-o", path); got.code != exitDone || mustRead(t, path) != shown.out {
			t.Errorf("%s: -o writes another file: %s", m.Name, got.err)
		}
		byFile := loadstone(t, shown.out, "generate", "--model", "-", "--jobs", "20", "--format", "csv")
		byName := loadstone(t, "", "generate", "--model", m.Name, "--jobs", "20", "--format", "csv")
		if m.Ready {
			if byFile.code != exitDone || byFile.out != byName.out || len(m.Missing) > 0 {
				t.Errorf("%s: its file and its name give other jobs: %s %s", m.Name, byFile.err, byName.err)
			}
			continue
		}
		if len(m.Missing) == 0 || byFile.code != exitFailed || byName.code != exitFailed {
			t.Errorf("%s: exit codes %d and %d", m.Name, byFile.code, byName.code)
		}
		for _, want := range []string{m.Missing[0], "--set PATH=VALUE", "models show " + m.Name} {
			if !strings.Contains(byName.err, want) {
				t.Errorf("%s: %q, want %q", m.Name, byName.err, want)
			}
		}
		if !strings.Contains(shown.err, "missing: "+m.Missing[0]) {
			t.Errorf("%s: %q does not say what is missing", m.Name, shown.err)
		}
	}
	for _, format := range []string{"table", "csv"} {
		if got := loadstone(t, "", "models", "list", "--format", format); got.code != exitDone || strings.Count(got.out, "\n") != len(list.Models)+1 {
			t.Errorf("--format %s:\n%s%s", format, got.out, got.err)
		}
	}
}

// A relative load is that of the model, or the log, so many times.
func TestGenerateRelativeLoad(t *testing.T) {
	site, err := model.Preset("lublin1999")
	if err != nil {
		t.Fatal(err)
	}
	log, users := writeLog(t, usersLog()), filepath.Join(t.TempDir(), "users.json")
	if got := loadstone(t, "", "fit", log, "-o", users); got.code != exitDone {
		t.Fatal(got.err)
	}
	var fitted struct{ Log struct{ Load float64 } }
	if err := json.Unmarshal([]byte(mustRead(t, users)), &fitted); err != nil || fitted.Log.Load == 0 {
		t.Fatalf("load %g, %v", fitted.Log.Load, err)
	}
	base := []string{"generate", "--model", "lublin1999", "--jobs", "200", "--format", "swf"}
	for _, c := range []struct{ base, relative, same []string }{
		{base, []string{"--load", "1.5x"}, []string{"--load", fmt.Sprint(1.5 * site.OfferedLoad())}},
		{[]string{"generate", "--model", users, "--jobs", "200", "--format", "swf"}, []string{"--load", "1.5x"}, []string{"--load", fmt.Sprint(1.5 * fitted.Log.Load)}},
	} {
		run := func(args []string) string {
			got := loadstone(t, "", append(slices.Clone(c.base), args...)...)
			if got.code != exitDone {
				t.Fatalf("%v: %s", args, got.err)
			}
			_, jobs, _ := strings.Cut(got.out, "\n1 ")
			return jobs
		}
		if run(c.relative) != run(c.same) || run(c.relative) == run(nil) {
			t.Errorf("%v and %v make other jobs, or the same as without", c.relative, c.same)
		}
	}
}

// A load of 70 is one of 70 %, mistyped, and one of 1.2 may be meant as a multiple.
func TestLoadInPercent(t *testing.T) {
	t.Parallel()
	log, users := writeLog(t, usersLog()), filepath.Join(t.TempDir(), "users.json")
	if got := loadstone(t, "", "fit", log, "-o", users, "--no-check"); got.code != exitDone {
		t.Fatal(got.err)
	}
	for _, args := range [][]string{
		{"generate", "--model", "lublin1999", "--jobs", "20"}, {"generate", "--like", log, "--jobs", "20"},
		{"generate", "--model", users, "--jobs", "20"}, {"scale", log},
	} {
		for load, want := range map[string]string{
			"7":   "warning: --load 7 is 7 times what the machine can do; for 7 % give --load 0.07\n",
			"1.5": "warning: --load 1.5 is more than the machine can do, so its queue grows until the last job is submitted; for 1.5 times the log's or the model's load give --load 1.5x\n",
		} {
			if got := loadstone(t, "", append(args, "--format", "swf", "--load", load)...); got.code != exitDone || strings.Count(got.err, want) != 1 {
				t.Errorf("%v: exit code %d, %s", args, got.code, got.err)
			}
		}
		if got := loadstone(t, "", append(args, "--format", "swf", "--load", "1")...); got.code != exitDone || strings.Contains(got.err, "the machine can do") {
			t.Errorf("%v, load 1: exit code %d, %s", args, got.code, got.err)
		}
	}
}

func TestGenerateWrongUsage(t *testing.T) {
	base := []string{"generate", "--model", "lublin1999", "--jobs", "5"}
	for _, c := range []struct {
		args []string
		want string
	}{
		{append(base, "--start", "yesterday"), `--start: saw "yesterday", want a date such as 2026-03-01`},
		{append(base, "--start", "2026-02-30"), "want a date"},
		{append(base, "--start", "2018-11-04", "--timezone", "America/Sao_Paulo"), "a clock change skips midnight of that day"},
		{append(base, "--load", "x"), "want an offered load above 0, such as 0.9, or 1.2x for 1.2 times the model's or the log's"},
		{append(base, "--load", "90%"), "number: 0.9, or 0.9x for 90% of the log's or the model's"},
		{append(base, "--load", "+20%"), "number: 1.2x for the load of the log or the model +20%"},
		{append(base, "--load", "-20%"), "number: 0.8x for the load of the log or the model -20%"},
		{append(base, "--load", "0x"), "want an offered load above 0"},
		{[]string{"generate", "--model", "lublin1999", "--days", "0"}, "--days 0: want a number above 0"},
		{append(base, "--estimates", "tsafrir"), "--estimates tsafrir, but class interactive of the model does not say the largest: want max-estimate too"},
		{append(base, "--estimates", "model"), "--estimates model, but class interactive of the model has none"},
		{append(base, "--max-estimate", "7200"), "--max-estimate 7200: want --estimates with tsafrir"},
		{[]string{"generate", "--model", "lublin1999", "--jobs", "20000", "--estimates", "tsafrir", "--max-estimate", "3600"}, "--max-estimate 3600, but "},
		{append(base, "--procs", "2"), "--procs 2, but class interactive of model lublin1999 then has no smaller sizes"},
		{append(base, "--set", "name"), "--set name: want PATH=VALUE"},
	} {
		got := loadstone(t, "", c.args...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %q", c.args, got.code, got.out, got.err, c.want)
		}
	}
	for _, c := range []struct{ set, want string }{
		{"classes[7].name=x", "--set classes[7].name=x: model: classes[7]: not there, want one of the 2 of a list"},
		{"classes[0].arrivals.arar=-1", "classes[0].arrivals.arar: -1, want a number from 0.01 to 100"},
		{"classes[0].arrivals.colour=1", "classes[0].arrivals.colour: unknown field"},
		{`schema=loadstone.model/9`, `schema: "loadstone.model/9", want "loadstone.model/1"`},
	} {
		got := loadstone(t, "", append(base, "--set", c.set, "-o", filepath.Join(t.TempDir(), "a.swf"))...)
		if got.code != exitFailed || !strings.Contains(got.err, c.want) {
			t.Errorf("--set %s: exit code %d, %q, want %q", c.set, got.code, got.err, c.want)
		}
	}
}

// Without --jobs and --days, a file that is no model is reported, not the flags: a
// model of users needs neither.
func TestGenerateReportsTheFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ file, want string }{
		{filepath.Join(dir, "none.json"), "none.json: no such model file"},
		{write("cut.json", `{"schema": "loadstone.population/1", "na`), "cut.json: model: "},
		{write("bare.json", `{"name": "x"}`), "bare.json: model: schema: missing"},
		{write("list.json", `[]`), "list.json: "},
		{write("log.swf.gz", "\x1f\x8b\x08\x08"), "want a model file, which is JSON; if it is a job log, fit a model to it"},
	} {
		got := loadstone(t, "", "generate", "--model", c.file)
		if got.code != exitFailed || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: exit code %d, %q, want %q", c.file, got.code, got.err, c.want)
		}
	}
}

// The load of what was made is told where one was asked for.
func TestGenerateTellsTheLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	got := loadstone(t, "", "generate", "--model", "lublin1999", "--jobs", "2000", "--load", "0.5", "-o", path)
	var d inspect.Description
	decode(t, &d, "describe", path)
	// describe counts from the first submission, the note from second 0.
	if want := "offered load: " + view.Sig(d.OfferedLoad)[:4]; got.code != exitDone || !strings.Contains(got.err, want) || !strings.Contains(got.err, "0.5000 asked for") {
		t.Errorf("exit code %d, %q, want %q", got.code, got.err, want)
	}
	got = loadstone(t, "", "generate", "--model", "downey1997", "--jobs", "100", "--load", "0.5", "-o", path)
	if got.code != exitDone || !strings.Contains(got.err, "the generated jobs have no sizes or run times") {
		t.Errorf("exit code %d, %q", got.code, got.err)
	}
}

// TestTemplateSaysWhatIsLeft: a template names what is not given yet, and --procs
// gives its processors.
func TestTemplateSaysWhatIsLeft(t *testing.T) {
	const gap, run = "classes[0].arrivals.interarrival.parameters.mean", "classes[0].run_times.first.parameters.mean"
	path := filepath.Join(t.TempDir(), "p.swf")
	got := loadstone(t, "", "generate", "--model", "poisson", "--procs", "100", "--set", gap+"=100", "--jobs", "5", "-o", path)
	if got.code != exitFailed || !strings.Contains(got.err, run) || strings.Contains(got.err, gap) || strings.Contains(got.err, "processors:") {
		t.Errorf("%d: %s", got.code, got.err)
	}
	got = loadstone(t, "", "generate", "--model", "poisson", "--procs", "100", "--set", gap+"=100", "--set", run+"=10", "--jobs", "5", "-o", path)
	text, err := os.ReadFile(path)
	if got.code != exitDone || err != nil || !strings.Contains(string(text), "; MaxProcs: 100\n") {
		t.Errorf("%d: %s%s, %v", got.code, got.err, text, err)
	}
}
