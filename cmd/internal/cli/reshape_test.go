package cli

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestReshapeWrongUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"anonymise"}, "a log is missing"},
		{[]string{"anonymise", "a", "--digits", "5"}, "--digits 5"},
		{[]string{"anonymise", "a", "-o", "b.swf", "--mapping", "./b.swf"}, "b.swf: is another output too"},
		{[]string{"anonymise", "a", "--mapping", "a"}, "a: is also the input"},
		{[]string{"sample", "a"}, "--jobs is missing, and so is --fraction"},
		{[]string{"sample", "a", "--fraction", "0.5", "--jobs", "3"}, "want either --jobs or --fraction"},
		{[]string{"sample", "a", "--fraction", "1.5"}, "--fraction 1.5"},
		{[]string{"sample", "a", "--fraction", "NaN"}, "--fraction NaN"},
		{[]string{"sample", "a", "--jobs", "0"}, "--jobs 0"},
		{[]string{"split", "a", "-o", "b-{n}.swf"}, "want one of --at, --every, --by and --parts"},
		{[]string{"split", "a", "-o", "b-{n}.swf", "--parts", "2", "--every", "1d"}, "want one of --at"},
		{[]string{"split", "a", "--parts", "2"}, "want a pattern"},
		{[]string{"split", "a", "-o", "b.swf", "--parts", "2"}, "want a pattern"},
		{[]string{"split", "a", "-o", "b-{n}.swf", "--parts", "0"}, "--parts 0"},
		{[]string{"scale", "a"}, "--load is missing"},
		{[]string{"scale", "a", "--load", "NaNx"}, "want an offered load above 0"},
		{[]string{"scale", "a", "--load", "1", "--procs", "0"}, "--procs 0"},
	} {
		got := loadstone(t, "", c.args...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %d, none and %q", c.args, got.code, got.out, got.err, exitUsage, c.want)
		}
	}
}

const named2 = `; MaxProcs: 4
; Note: alice is away
; Queue: 0 interactive
; Queue: 1 batch
; User: 1 alice
` + "1 0 0 100 4 -1 -1 4 200 -1 1 1 1 1 0 1 -1 -1\n2 10 90 50 2 -1 -1 2 60 -1 1 2 1 1 1 1 -1 -1\n3 20 80 10 2 -1 -1 2 10 -1 0 1 1 1 1 -1 -1 -1\n"

func TestAnonymise(t *testing.T) {
	dir := t.TempDir()
	in := writeLog(t, named2)
	key := filepath.Join(dir, "key")
	if err := os.WriteFile(key, []byte("an example key, not a secret one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	mapping := filepath.Join(dir, "m.csv")
	// A file that others can read is replaced, not filled.
	if err := os.WriteFile(mapping, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := loadstone(t, "", "anonymise", in, "--key", key, "--mapping", mapping, "--format", "swf")
	// The replacements of alice, user 2 and group 1 are from
	// workload/reshape/testdata/reshape.json: Python's hmac.
	const alice, bob, group, application = "66776720103153", "543898989193575", "634777048887305", "745146525567309"
	if got.code != exitDone || strings.Contains(got.out, "alice") || strings.Contains(got.out, "batch") {
		t.Fatalf("exit code %d, %s\n%s", got.code, got.err, got.out)
	}
	rows, err := csv.NewReader(strings.NewReader(mustRead(t, mapping))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	to := map[string]string{}
	for _, r := range rows {
		to[r[0]+" "+r[1]+" "+r[2]] = r[3]
	}
	if len(rows) != 8 || to["user_id 1 alice"] != alice || to["user_id 2 "] != bob || to["group_id 1 "] != group || to["application_id 1 "] != application {
		t.Errorf("mapping: got %q", rows)
	}
	for _, line := range []string{
		"\n1 0 0 100 4 -1 -1 4 200 -1 1 " + alice + " " + group + " " + application + " " + to["queue_id 0 interactive"] + " " + to["partition_id 1 "] + " -1 -1\n",
		"\n2 10 90 50 2 -1 -1 2 60 -1 1 " + bob + " " + group + " " + application + " " + to["queue_id 1 batch"] + " ",
		"\n3 20 80 10 2 -1 -1 2 10 -1 0 " + alice + " " + group + " " + application + " " + to["queue_id 1 batch"] + " -1 ",
		"; MaxProcs: 4\n; Note: anonymised: user_id",
	} {
		if !strings.Contains(got.out, line) {
			t.Errorf("want %q in\n%s", line, got.out)
		}
	}
	for _, words := range []string{"replaced: 2 of user_id, 1 of group_id, 1 of application_id, 2 of queue_id, 1 of partition_id", "header lines dropped or shortened: Note 1, Queue 2, User 1"} {
		if !strings.Contains(got.err, words) {
			t.Errorf("want %q in\n%s", words, got.err)
		}
	}
	if info, err := os.Stat(mapping); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mapping: mode %v, %v", info.Mode(), err)
	}
	if left := files(t, dir); len(left) != 2 {
		t.Errorf("left %q", left)
	}

	if again := loadstone(t, named2, "anonymise", "-", "--key", key, "--format", "swf"); again.out != got.out {
		t.Errorf("the log from standard input: got\n%s\n%s", again.out, again.err)
	}
	one, two := loadstone(t, "", "anonymise", in, "--format", "swf"), loadstone(t, "", "anonymise", in, "--format", "swf")
	if one.code != exitDone || one.out == two.out || one.out == got.out {
		t.Errorf("without a key: exit code %d, the same numbers twice", one.code)
	}
	if left := files(t, dir); len(left) != 2 {
		t.Errorf("without --mapping: %q", left)
	}
}

func TestAnonymiseKeys(t *testing.T) {
	in := writeLog(t, named2)
	dir := t.TempDir()
	short, open := filepath.Join(dir, "short"), filepath.Join(dir, "open")
	for path, text := range map[string]string{short: "0123456789abcde\n", open: "0123456789abcdef"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"--key", short}, {"--key", filepath.Join(dir, "none")}, {"--key", dir}} {
		out := filepath.Join(t.TempDir(), "x.swf")
		got := loadstone(t, "", append([]string{"anonymise", in, "-o", out}, args...)...)
		if _, err := os.Stat(out); got.code != exitFailed || err == nil {
			t.Errorf("%q: exit code %d, %s", args, got.code, got.err)
		}
	}
	// The mapping appears with the log, or not at all.
	if got := loadstone(t, "", "anonymise", in, "--mapping", filepath.Join(dir, "m.csv"), "-o", filepath.Join(dir, "none", "x.swf")); got.code != exitFailed || len(files(t, dir)) != 2 {
		t.Errorf("no folder for the log: exit code %d, %s, files %q", got.code, got.err, files(t, dir))
	}
	if got := loadstone(t, "", "anonymise", in, "--key", open); got.code != exitDone || !strings.Contains(got.err, "other users can read the key") {
		t.Errorf("a key that all can read: exit code %d, %s", got.code, got.err)
	}
}

// cycleLog is a log of three weeks with a job every two hours.
func cycleLog(t *testing.T) string {
	var b strings.Builder
	b.WriteString("; MaxJobs: 252\n; MaxProcs: 4\n; UnixStartTime: 978307200\n; TimeZoneString: UTC\n")
	for i := range 252 {
		fmt.Fprintf(&b, "%d %d 5 3600 2 -1 -1 2 7200 -1 1 %d 1 1 0 1 -1 -1\n", i+1, 7200*i, i%7)
	}
	return writeLog(t, b.String())
}

func TestSplit(t *testing.T) {
	in := cycleLog(t)
	for _, c := range []struct {
		pattern string
		args    []string
		want    map[string]int
	}{
		{"p-{n}.swf", []string{"--parts", "4"}, map[string]int{"p-1.swf": 63, "p-2.swf": 63, "p-3.swf": 63, "p-4.swf": 63}},
		{"w-{value}.csv", []string{"--every", "1w"}, map[string]int{"w-2001-01-01.csv": 84, "w-2001-01-08.csv": 84, "w-2001-01-15.csv": 84}},
		{"d-{n}.swf.gz", []string{"--at", "2001-01-02,7200,2001-01-02T12:00"}, map[string]int{"d-1.swf.gz": 1, "d-2.swf.gz": 11, "d-3.swf.gz": 6, "d-4.swf.gz": 234}},
		{"u{n}-{value}.parquet", []string{"--by", "user_id"}, map[string]int{"u1-0.parquet": 36, "u2-1.parquet": 36, "u3-2.parquet": 36, "u4-3.parquet": 36, "u5-4.parquet": 36, "u6-5.parquet": 36, "u7-6.parquet": 36}},
		{"h-{n}.csv", []string{"--every", "6h"}, nil}, // more than are written at once
	} {
		dir := t.TempDir()
		got := loadstone(t, "", append([]string{"split", in, "-o", filepath.Join(dir, c.pattern), "--format", "csv"}, c.args...)...)
		if got.code != exitDone {
			t.Fatalf("%q: %s", c.args, got.err)
		}
		rows, err := csv.NewReader(strings.NewReader(got.out)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows[1:] {
			if want, ok := c.want[filepath.Base(r[3])]; c.want != nil && (!ok || fmt.Sprint(want) != r[2]) {
				t.Errorf("%q: %q, want %v", c.args, r, c.want)
			}
		}
		if len(files(t, dir)) != len(rows)-1 || c.want != nil && len(rows)-1 != len(c.want) || c.want == nil && len(rows)-1 != 84 {
			t.Errorf("%q: files %q", c.args, files(t, dir))
		}
	}
}

func TestSplitRefuses(t *testing.T) {
	in := cycleLog(t)
	dir := t.TempDir()
	for _, c := range []struct {
		pattern string
		args    []string
		want    string
	}{
		{"{n}.swf", []string{"--every", "5m", "--parts", "253"}, "want one of"},
		{"{n}.swf", []string{"--parts", "253"}, "253 parts of 252 jobs"},
		{"{value}.swf", []string{"--at", "7200,7200.2,14400.3"}, "two parts would be called"},
		{"{n}.swf", []string{"--at", "yesterday"}, "--at yesterday: want a date"},
		{"{n}.xls", []string{"--parts", "2"}, "parquet"},
		{"none/{n}.swf", []string{"--parts", "2"}, "does not exist"},
	} {
		got := loadstone(t, "", append([]string{"split", in, "-o", filepath.Join(dir, c.pattern)}, c.args...)...)
		if got.code == exitDone || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, %s; want %q", c.args, got.code, got.err, c.want)
		}
	}
	// A part that would replace the log before it is read a second time.
	self := filepath.Join(dir, "log-1.swf")
	if err := os.WriteFile(self, []byte(mustRead(t, in)), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := loadstone(t, "", "split", self, "-o", filepath.Join(dir, "log-{n}.swf"), "--parts", "2"); got.code != exitUsage || !strings.Contains(got.err, "log-1.swf: is also the input") {
		t.Errorf("onto itself: exit code %d, %s", got.code, got.err)
	}
	if got := loadstone(t, tiny, "split", "-", "-o", filepath.Join(dir, "t-{n}.swf"), "--parts", "2", "--format", "json"); !strings.Contains(got.out, `"schema": "loadstone.split/1"`) || !strings.Contains(got.out, `"jobs": 2,`) {
		t.Errorf("JSON: got %s, %s", got.out, got.err)
	}
}
