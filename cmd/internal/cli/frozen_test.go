package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The names that pipelines rely on stand in testdata/frozen, one a line. A name
// changes only together with its line there and, once released, a line in CHANGELOG.md. With
// -update the files are written anew; read the difference.

// frozen compares lines with a file of testdata/frozen.
func frozen(t *testing.T, name string, got []string) {
	t.Helper()
	path := filepath.Join("testdata", "frozen", name)
	text := strings.Join(got, "\n") + "\n"
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, line := range got {
		has[line] = true
	}
	had := map[string]bool{}
	for _, line := range lines(string(want)) {
		had[line] = true
		if !has[line] {
			t.Errorf("%s: gone: %s", path, line)
		}
	}
	for _, line := range got {
		if !had[line] {
			t.Errorf("%s: new: %s", path, line)
		}
	}
}

// TestFlagsAreFrozen holds the flags of every command: name, short form, type
// and default value.
func TestFlagsAreFrozen(t *testing.T) {
	var got []string
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			line := fmt.Sprintf("%s --%s", cmd.CommandPath(), f.Name)
			if f.Shorthand != "" {
				line += " -" + f.Shorthand
			}
			line += fmt.Sprintf(" %s %q", f.Value.Type(), f.DefValue)
			got = append(got, line)
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	a := &app{}
	walk(a.root())
	slices.Sort(got)
	frozen(t, "flags.txt", got)
}

// frozenRuns are commands whose results together have every field. The first
// word of each is a label for those without a schema.
var frozenRuns = [][]string{
	{"describe", "log.swf", "--section", "all", "--by", "user_id"},
	{"validate", "bad.swf"},
	{"clean", "--list"},
	{"convert", "log.swf"},
	{"convert", "malleable.parquet"},
	{"split", "log.swf", "-o", "part-{n}.swf", "--parts", "2"},
	{"fit", "log.swf", "--family", "gamma", "--replicates", "39", "--intervals", "0.9", "--tests", "--subsamples", "2", "--site", "none"},
	{"fit", "other.swf", "--attribute", "run_time,size,interarrival,work", "--family", "uniform-log,gamma,multi-stage-uniform-log,hyper-gamma", "--by", "queue_id", "--site", "full"},
	{"fit", "log.swf", "--family", "gamma", "--site", "full", "--site-replicates", "39", "--size-ranges", "1-8,9-128"},
	{"fit", "log.swf", "--family", "gamma", "--by", "kind", "--interactive", "queue_id=0"},
	{"lifetimes", "log.swf", "--by", "queue_id", "--months", "1"},
	{"lifetimes", "log.swf", "--by", "queue_id,size", "--periods", "2"},
	{"fit", "log.swf", "other.swf", "--family", "gamma"},
	{"fit", "log.swf", "other.swf", "--form", "lublin2003"},
	{"fit", "two-modes.swf", "two-modes.swf", "--form", "lublin2003", "--combine", "search"},
	{"models", "list"},
	{"simulate", "log.swf"},
	{"simulate", "log.swf", "--policy", "easy", "--estimates", "last2", "--correct", "--kill", "--sites", "all", "--procs", "128"},
	{"simulate", "fcfs.swf", "--policy", "easy", "--feedback"},
	{"simulate", "fcfs.swf", "--feedback", "--sites", "all", "--procs", "128"},
	{"sweep", "study.yaml", "--list"},
	{"sweep", "study.yaml"},
	{"sweep", "predictors.yaml"},
	{"allocate", "--days", "3", "--seeds", "2", "--strategies", "opt,bias,heur,bias-lock-risk,avg-min", "--search"},
	{"allocate", "--days", "2", "--seeds", "2", "--strategies", "opt,bias", "--sweep", "load=0.4,0.6"},
	{"allocate", "malleable.parquet", "--strategies", "opt"},
	{"grid", "grid.swf", "--grid", "das3"},
	{"grid", "grid.swf", "--grid", "das3", "--feedback"},
	{"runtime", "log.swf", "--predictors", "all", "--by", "length,site,month", "--fallback", "default"},
	{"runtime", "log.swf", "--predictors", "last,kernel", "--optimise", "log"},
	{"predict", "fcfs.swf", "--predictors", "downey-a,downey-a-exact,simulated,simulated-corrected,estimates,bmbp,chebyshev,qbets", "--by", "site,month,burst", "--unbias"},
	{"predict", "fcfs.swf", "--predictors", "downey-a,downey-b,downey-n32,downey-benefactors", "--months", "1", "--classes", "queue_id"},
	{"predict", "fcfs.swf", "--predictors", "bmbp,qbets,simulated,estimates,drawn,downey-b-queue", "--sample", "20"},
	{"runtime", "log.swf", "other.swf"},
	{"predict", "fcfs.swf", "queued.swf"},
	{"predict", "two-modes.swf", "--predictors", "simulated", "--first-jobs", "300"},
	{"score", "log.swf", "bounds.csv", "--by", "length"},
	{"score", "fcfs.swf", "bounds.csv", "--of", "wait", "--by", "burst"},
	{"wait", "fcfs.swf", "--at", "140000", "--size", "64,96", "--run-times", "64=7000,96=5000", "--time", "7200"},
	{"wait", "fcfs.swf", "--at", "140000", "--size", "64,96", "--time", "7200", "--user", "98", "--queue", "99", "--policy", "priority(queues=1)"},
	{"compare", "log.swf", "other.swf", "--by", "queue_id"},
	{"compare", "log.swf", "lublin1999-batch", "--jobs", "1000"},
	{"compare", "other.swf", "--like", "--schedule", "easy", "--replicas", "2"},
	{"models", "show", "lublin1999"},
	{"models", "show", "lublin2003"},
	{"models", "show", "downey1997"},
	{"models", "show", "jann1997"},
	{"grid", "--show", "das3"},
}

// frozenLogs writes the logs of frozenRuns into the folder it runs in.
func frozenLogs(t *testing.T) {
	t.Helper()
	for _, args := range [][]string{
		{"generate", "--model", "lublin1999", "--days", "33", "--set", "users.count=20", "--estimates", "tsafrir", "--max-estimate", "64800", "--seed", "1", "-o", "log.swf"},
		{"generate", "--model", "lublin1999", "--jobs", "1000", "--set", "users.count=20", "--seed", "2", "-o", "other.swf"},
		{"simulate", "log.swf", "-o", "fcfs.swf"},
		{"simulate", "other.swf", "-o", "queued.swf"},
		{"generate", "--model", "lublin2003", "--jobs", "2000", "-o", "two-modes.swf"},
		{"generate", "--model", "downey1997", "--days", "2", "-o", "malleable.parquet"},
		{"generate", "--model", "lublin1999-batch", "--procs", "64", "--jobs", "800", "--set", "users.count=20", "--set", "classes[0].column=partition_id", "-o", "grid.swf"},
	} {
		if got := loadstone(t, "", append(args, "-q")...); got.code != exitDone {
			t.Fatalf("%q: exit code %d: %s", args, got.code, got.err)
		}
	}
	if err := os.WriteFile("bounds.csv", []byte("job_id,predicted_s,quantile\n1,50,0.9\n2,100,0.9\n900,200,0.9\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		"study.yaml":      "logs: [log.swf]\nworkloads: scaled\nloads: [.6]\npolicies: [fcfs, easy]\nfeedback: [true]\n",
		"predictors.yaml": "logs: [log.swf]\nruntime: [last2]\nwait: [simulated]\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("bad.swf", []byte(tiny+"5 -7 0 3 9 -1 -1 9 1 -1 1 2 1 1 1 1 -1 -1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// keyed are the objects whose keys are data or names of one kind of thing: below
// them all keys have the same fields, which stand once, under *.
var keyed = []string{"columns", "groups", "status", "parameters", "intervals"}

// paths adds the path of every field below v; elements of a list are []. What
// has a schema of its own begins anew.
func paths(all map[string]bool, at string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if schema, ok := v["schema"].(string); ok {
			at = schema + " "
		}
		for name, below := range v {
			all[at+"."+name] = true
			if slices.Contains(keyed, at[strings.LastIndexAny(at, ".]")+1:]) {
				name = "*"
			}
			paths(all, at+"."+name, below)
		}
	case []any:
		for _, below := range v {
			paths(all, at+"[]", below)
		}
	}
}

// TestFieldsAreFrozen holds the fields of every result in JSON and the columns
// of those in CSV.
func TestFieldsAreFrozen(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	frozenLogs(t)
	fields, columns := map[string]bool{}, map[string]bool{}
	for _, args := range frozenRuns {
		show := slices.Contains(args, "--show") || slices.Contains(args, "show")
		asked := slices.Concat(args, []string{"-q"})
		if !show {
			asked = append(asked, "--format", "json")
		}
		got := loadstone(t, "", asked...)
		if got.code != exitDone {
			t.Errorf("%q: exit code %d: %s", args, got.code, got.err)
			continue
		}
		var v any
		if err := json.Unmarshal([]byte(got.out), &v); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		schema, ok := v.(map[string]any)["schema"].(string)
		if !ok {
			t.Errorf("%q: no schema", args)
		}
		paths(fields, "", v)
		if show {
			continue
		}
		got = loadstone(t, "", slices.Concat(args, []string{"-q", "--format", "csv"})...)
		if got.code != exitDone {
			t.Errorf("%q as CSV: exit code %d: %s", args, got.code, got.err)
			continue
		}
		head, err := csv.NewReader(strings.NewReader(got.out)).Read()
		if err != nil {
			t.Errorf("%q as CSV: %v", args, err)
			continue
		}
		columns[schema+" "+strings.Join(head, ",")] = true
	}
	t.Chdir(here)
	frozen(t, "json.txt", slices.Sorted(maps.Keys(fields)))
	frozen(t, "csv.txt", slices.Sorted(maps.Keys(columns)))
}
