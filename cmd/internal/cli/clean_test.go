package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCleanUsage(t *testing.T) {
	in := writeLog(t, tiny)
	for _, c := range []struct {
		args []string
		want string // in the message
	}{
		{[]string{"clean"}, "a log is missing"},
		{[]string{"clean", in}, "want at least one --filter; --list shows them"},
		{[]string{"clean", in, "--filter", "flury"}, `"flury": want one of the filters window, duplicates`},
		{[]string{"clean", in, "--filter", "status=1", "--filter", "user=bob ann"}, `"ann": want "and"`},
		{[]string{"clean", in, "--filter", "flurries jobs=none"}, "jobs=none: want a whole number"},
		{[]string{"clean", in, "--filter", "user=1", "--removed", in}, "is also the input"},
		{[]string{"clean", in, "--filter", "user=1", "--removed", in + "x", "-o", in + "x"}, "is another output too"},
		{[]string{"clean", in, "--filter", "user=1", "--removed", "-"}, "--removed -: want a file"},
		{[]string{"clean", in, "--list"}, "unknown command"},
	} {
		got := loadstone(t, "", c.args...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %d, none and %q", c.args, got.code, got.out, got.err, exitUsage, c.want)
		}
	}
}

func TestCleanOptions(t *testing.T) {
	a := &app{}
	var got cleanOptions
	cmd := newCleanCmd(a, func(_ context.Context, _ *app, o cleanOptions) error { got = o; return nil })
	cmd.SetArgs([]string{"log.swf", "--filter", "status=1,5", "--filter", "keep user=2", "--removed", "r.csv", "-o", "out.swf"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	// A comma in a filter does not make two of it.
	var filters []string
	for _, f := range got.filters {
		filters = append(filters, f.String())
	}
	if d := cmp.Diff([]string{"status=1,5", "keep user=2"}, filters); d != "" || got.input != "log.swf" || got.Removed != "r.csv" || got.Jobs.Output != "out.swf" {
		t.Errorf("%+v, %s", got, d)
	}
}

// The log, the header and the table of what was taken out, to the byte.
func TestClean(t *testing.T) {
	in := writeLog(t, tiny)
	dir := t.TempDir()
	out, removed := filepath.Join(dir, "out.swf"), filepath.Join(dir, "removed.csv")
	got := loadstone(t, "", "clean", in, "--filter", "status=0", "--filter", "user=2 and size>2", "--removed", removed, "-o", out)
	if got.code != exitDone || got.out != "" {
		t.Fatalf("exit code %d, output %q, error %q", got.code, got.out, got.err)
	}
	for _, want := range []string{out + ": 2 jobs\n", "status=0: 1 removed\n", "user=2 and size>2: 1 removed\n", in + ": 2 of 4 records stay\n"} {
		if !strings.Contains(got.err, want) {
			t.Errorf("error %q does not say %q", got.err, want)
		}
	}
	const wantLog = `; Version: 2.2
; Computer: Abacus
; MaxProcs: 4
; UnixStartTime: 978307200
; TimeZoneString: UTC
; Note: THIS IS A CLEANED VERSION OF THE LOG!
;       The filters used to produce it were
;         status=0 (1 job removed)
;         user=2 and size>2 (1 job removed)
; MaxJobs: 2
; MaxRecords: 2
; Note: MaxJobs and MaxRecords recomputed by loadstone clean
1 0 0 100 4 -1 -1 4 200 -1 1 1 1 1 0 1 -1 -1
2 10 90 50 2 -1 -1 2 60 -1 1 2 1 1 0 1 -1 -1
`
	const wantRemoved = `job_id,row,filter,reason
3,3,status=0,status=0
4,4,user=2 and size>2,user=2 size=4
`
	for path, want := range map[string]string{out: wantLog, removed: wantRemoved} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, string(b)); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
	// The same on standard output, and by way of every format.
	got = loadstone(t, tiny, "clean", "-", "--filter", "status=0", "--filter", "user=2 and size>2", "--format", "swf")
	if got.out != wantLog {
		t.Errorf("on standard output: exit code %d, %s", got.code, cmp.Diff(wantLog, got.out))
	}
	for _, name := range []string{"out.parquet", "out.arrow", "out.arrows", "out.swf.gz"} {
		path := filepath.Join(dir, name)
		if got := loadstone(t, "", "-q", "clean", in, "--filter", "status=0", "--filter", "user=2 and size>2", "-o", path); got.code != exitDone {
			t.Fatalf("%s: %s", name, got.err)
		}
		if got := loadstone(t, "", "-q", "convert", path, "--format", "swf"); got.out != wantLog {
			t.Errorf("%s: %s", name, cmp.Diff(wantLog, got.out))
		}
	}
}

// What goes wrong leaves no file, neither of jobs nor of removals.
func TestCleanFails(t *testing.T) {
	bad := writeLog(t, tiny+"5 40 0 oops 1 -1 -1 1 20 -1 1 2 1 1 1 1 -1 -1\n")
	good := writeLog(t, tiny)
	for _, c := range []struct{ in, filter, want string }{
		{bad, "status=0", bad + ":10: run_time_s: "},
		{bad, "flurries", bad + ":10: run_time_s: "},
		{good, "status=0,1", "the filters remove all 4 jobs: no output is written"},
		{good, "queue=batch", `no queue "batch" among the log's names`},
	} {
		dir := t.TempDir()
		got := loadstone(t, "", "clean", c.in, "--filter", c.filter, "--removed", filepath.Join(dir, "r.csv"), "-o", filepath.Join(dir, "x.swf"))
		if got.code != exitFailed || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: exit code %d, error %q; want %d and %q", c.filter, got.code, got.err, exitFailed, c.want)
		}
		if left := files(t, dir); len(left) > 0 {
			t.Errorf("%s: left %q behind", c.filter, left)
		}
	}
}

func TestCleanList(t *testing.T) {
	table := loadstone(t, "", "clean", "--list")
	help := loadstone(t, "", "clean", "--help-all")
	// The help has everything that the list has, and each once.
	syntax, filters, ok := strings.Cut(table.out, "\n\n")
	if table.code != exitDone || !ok || strings.Count(help.out, syntax) != 1 || strings.Count(help.out, strings.TrimSpace(filters)) != 1 {
		t.Errorf("exit code %d, %s", table.code, table.err)
	}
	for _, line := range strings.Split(table.out, "\n") {
		if len(line) > 80 {
			t.Errorf("a line of %d letters: %s", len(line), line)
		}
	}
	var js struct {
		Schema  string
		Filters []struct {
			Name       string
			Parameters []struct{ Name, Default string }
		}
		Fields []struct{ Names []string }
	}
	got := loadstone(t, "", "clean", "--list", "--format", "json")
	if err := json.Unmarshal([]byte(got.out), &js); err != nil || js.Schema != "loadstone.filters/1" || len(js.Filters) != 5 || len(js.Fields) < 20 {
		t.Errorf("%v, %+v", err, js)
	}
	csv := loadstone(t, "", "clean", "--list", "--format", "csv")
	for _, f := range js.Filters {
		for _, p := range f.Parameters {
			name := p.Name
			if p.Default != "" {
				name += "=" + p.Default
			}
			if !strings.Contains(table.out, "    "+name+": ") || !strings.Contains(strings.ReplaceAll(csv.out, `"`, ""), ","+p.Name+","+p.Default+",") {
				t.Errorf("%s: %s=%s is missing", f.Name, p.Name, p.Default)
			}
		}
	}
	for _, f := range js.Fields {
		if !strings.Contains(table.out, strings.Join(f.Names, " or ")+": ") {
			t.Errorf("field %s is missing", f.Names[0])
		}
	}
}
