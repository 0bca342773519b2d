package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// outcome is what one run of the command did.
type outcome struct {
	code     int
	out, err string
}

func loadstone(t testing.TB, stdin string, args ...string) outcome {
	t.Helper()
	var out, err bytes.Buffer
	code := run(context.Background(), args, Streams{strings.NewReader(stdin), &out, &err})
	return outcome{code, out.String(), err.String()}
}

// tiny is a log in which everything can be worked out by hand: four processors,
// jobs of two users.
const tiny = `; Version: 2.2
; Computer: Abacus
; MaxProcs: 4
; UnixStartTime: 978307200
; TimeZoneString: UTC
1 0 0 100 4 -1 -1 4 200 -1 1 1 1 1 0 1 -1 -1
2 10 90 50 2 -1 -1 2 60 -1 1 2 1 1 0 1 -1 -1
3 20 80 10 2 -1 -1 2 10 -1 0 1 1 1 1 1 -1 -1
4 30 80 20 4 -1 -1 4 20 -1 1 2 1 1 1 1 -1 -1
`

func writeLog(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tiny.swf")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// files lists what is in a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWrongUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string // in the message
	}{
		{[]string{"nonsense"}, "unknown command"},
		{[]string{"descibe", "a"}, "did you mean describe?"},
		{[]string{"describe", "a", "--tz", "UTC"}, "unknown flag: --tz; did you mean --timezone?"},
		{[]string{"describe", "a", "--csv"}, "unknown flag: --csv; did you mean --format csv?"},
		{[]string{"describe", "a", "--columns", "submit_time=t"}, "unknown flag: --columns; did you mean --map?"},
		{[]string{"descibe", "a", "--format", "csv"}, `unknown command "descibe"; did you mean describe?`},
		{[]string{"twin"}, `unknown command "twin"; did you mean generate --like or compare?`},
		{[]string{"twin", "--help"}, `unknown command "twin"; did you mean generate --like or compare?`},
		{[]string{"simulat", "-h"}, `unknown command "simulat"; did you mean simulate?`},
		{[]string{"-q", "Schedule", "log.swf", "--help-all"}, `unknown command "Schedule"; did you mean simulate?`},
		{[]string{"help", "schedule"}, `unknown command "schedule"; did you mean simulate?`},
		{[]string{"completion", "nonsense"}, `unknown command "nonsense"`},
		{[]string{"describe"}, "a log is missing"},
		{[]string{"describe", "a", "b"}, "want one log, saw [\"a\" \"b\"]: 'loadstone compare' takes two\n"},
		{[]string{"convert", "a.swf.gz", "b.csv"}, "the output goes after -o: loadstone convert a.swf.gz -o b.csv\n"},
		{[]string{"cli_test.go"}, `"cli_test.go" is a file, not a command: want a command before it, such as 'loadstone describe cli_test.go'`},
		{[]string{"generate", "cli_test.go"}, `"cli_test.go" is a file: want --like cli_test.go for a twin of a log, or --model cli_test.go`},
		{[]string{"generate", "nothing.swf"}, `saw ["nothing.swf"], want a model by --model or a log by --like`},
		{[]string{"wait", "a", "--size"}, "--size: the value is missing: want processors\n"},
		{[]string{"generate", "--model", "Lublin1999"}, "the length is missing: give --jobs or --days"},
		{[]string{"describe", "a", "--frobnicate"}, "unknown flag: --frobnicate\n"},
		{[]string{"generate", "--model", "a", "--day", "3"}, "unknown flag: --day; did you mean --days?"},
		{[]string{"describe", "a", "--seciton", "all"}, "unknown flag: --seciton; did you mean --section?"},
		{[]string{"runtime", "a", "--predictor", "last2"}, "unknown flag: --predictor; did you mean --predictors?"},
		{[]string{"runtime", "a", "-z"}, "unknown shorthand flag: 'z' in -z\n"},
		{[]string{"runtime", "a", "--seed"}, "--seed: the value is missing: want a whole number of 0 or more"},
		{[]string{"describe", "a", "--procs", "-4"}, "--procs -4"},
		{[]string{"predict", "a", "--procs", "0"}, "--procs 0"},
		{[]string{"fit", "a", "-o", "-"}, "-o -: want a file; without -o"},
		{[]string{"fit", "a", "-o", "m.yaml"}, "ends in .json"},
		{[]string{"fit", "a", "--by", "colour"}, `--by "colour": want one or more of all, user`},
		{[]string{"fit", "a", "--components", "1"}, `--components: saw "1"`},
		{[]string{"fit", "a", "--components", "99"}, `--components: saw "99", want 2 to 8, or auto`},
		{[]string{"fit", "a", "--replicates", "-1"}, "--replicates -1"},
		{[]string{"generate", "--jobs", "5"}, "--model is missing"},
		{[]string{"generate", "--model", "lublin1999"}, "the length is missing: give --jobs or --days"},
		{[]string{"generate", "--model", "lublin1999", "--jobs", "5", "--days", "1"}, "want either --jobs or --days"},
		{[]string{"generate", "--model", "lublin1999", "--jobs", "0"}, "--jobs"},
		{[]string{"generate", "--model", "lublin1999", "--days", "-1"}, "--days"},
		{[]string{"generate", "--model", "lublin1999", "--jobs", "5", "--load", "-1"}, "--load"},
		{[]string{"generate", "--model", "lublin1999", "--days", "NaN"}, "--days"},
		{[]string{"fit", "a", "--family", "hypergamma"}, `uniform; did you mean hyper-gamma?`},
		{[]string{"models", "show", "lublin99"}, `did you mean lublin1999?`},
		{[]string{"sweep"}, "the study file is missing: want one, such as study.yaml"},
		{[]string{"runtime", "a", "--classes", "shoe-size"}, `"shoe-size": want one or more of all, user`},
		{[]string{"predict", "a", "--quantile", "1"}, "--quantile 1"},
		{[]string{"predict", "a", "--confidence", "NaN"}, "--confidence NaN"},
		{[]string{"predict", "a", "--trim", "-0.1"}, "--trim -0.1"},
		{[]string{"demo", "-"}, "want a file"},
		// Who names something twice meant something else.
		{[]string{"fit", "a", "--interactive", "queue_id=1, 1"}, `--interactive queue_id=1, 1: saw "1" twice`},
		{[]string{"wait", "a", "--size", "4,4"}, `saw "4" twice`},
	} {
		got := loadstone(t, "", c.args...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %d, none and %q", c.args, got.code, got.out, got.err, exitUsage, c.want)
		}
	}
}

func TestNoLogIsOneErrorAndNoFile(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.swf")
	binary := filepath.Join(dir, "binary.swf")
	headerOnly := filepath.Join(dir, "header.swf")
	for path, text := range map[string]string{empty: "", binary: "\x00\x01\x02\xff\x00", headerOnly: "; Version: 2.2\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, in := range []string{filepath.Join(dir, "missing.swf"), dir, empty, binary, headerOnly} {
		for _, args := range [][]string{
			{"convert", in, "-o"}, {"describe", in, "-o"}, {"fit", in, "-o"}, {"simulate", in, "--procs", "4", "-o"},
			{"runtime", in, "-o"}, {"predict", in, "--procs", "4", "-o"},
			{"anonymise", in, "-o"}, {"sample", in, "--jobs", "2", "-o"}, {"scale", in, "--load", "0.5", "-o"}, {"report", in, "-o"},
		} {
			if in == headerOnly && slices.Contains([]string{"convert", "describe", "anonymise", "report"}, args[0]) {
				continue // a table without jobs is a table
			}
			out := t.TempDir()
			name := "x.parquet"
			if slices.Contains([]string{"describe", "fit", "runtime", "predict"}, args[0]) {
				name = "x.json"
			} else if args[0] == "report" {
				name = "x.html"
			}
			got := loadstone(t, "", append(args, filepath.Join(out, name))...)
			if got.code != exitFailed || got.out != "" || strings.Count(got.err, "\n") != 1 {
				t.Errorf("%q: exit code %d, output %q, error %q; want %d, none and one line", args, got.code, got.out, got.err, exitFailed)
			}
			if !strings.Contains(got.err, in) {
				t.Errorf("%q: %q does not name the file", args, got.err)
			}
			if left := files(t, out); len(left) > 0 {
				t.Errorf("%q: left %q behind", args, left)
			}
		}
	}
}

func TestFaultInTheMiddleLeavesNoFile(t *testing.T) {
	in := writeLog(t, tiny+"5 40 0 oops 1 -1 -1 1 20 -1 1 2 1 1 1 1 -1 -1\n")
	for _, name := range []string{"x.swf", "x.swf.gz", "x.swf.zst", "x.parquet", "x.arrow", "x.csv"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("before"), 0o640); err != nil {
			t.Fatal(err)
		}
		got := loadstone(t, "", "convert", in, "-o", path)
		if want := in + ":10: run_time_s: "; got.code != exitFailed || !strings.Contains(got.err, want) || !strings.Contains(got.err, `"oops"`) {
			t.Errorf("%s: exit code %d, error %q; want %q and the text", name, got.code, got.err, want)
		}
		if b, _ := os.ReadFile(path); string(b) != "before" || len(files(t, dir)) != 1 {
			t.Errorf("%s: the file that was there is gone, or something is left: %q", name, files(t, dir))
		}
	}
}

func TestConvertEveryFormatAndBack(t *testing.T) {
	in := writeLog(t, tiny)
	dir := t.TempDir()
	for _, name := range []string{"a.swf", "a.swf.gz", "a.swf.zst", "a.parquet", "a.arrow"} {
		path := filepath.Join(dir, name)
		if got := loadstone(t, "", "convert", in, "-o", path); got.code != exitDone {
			t.Fatalf("%s: %s", name, got.err)
		}
		got := loadstone(t, "", "-q", "convert", path, "--format", "swf")
		if got.code != exitDone || got.out != tiny {
			t.Errorf("%s: exit code %d, %s\ngot\n%s\nwant\n%s", name, got.code, got.err, got.out, tiny)
		}
	}
	if got := loadstone(t, tiny, "convert", "-", "--format", "swf"); got.out != tiny {
		t.Errorf("from standard input: got\n%s\n%s", got.out, got.err)
	}
	got := loadstone(t, "", "convert", in, "-o", filepath.Join(dir, "a.csv"))
	if !strings.Contains(got.err, "header") {
		t.Errorf("CSV: %q does not say that the header is lost", got.err)
	}
	strict := filepath.Join(dir, "strict.csv")
	if got := loadstone(t, "", "convert", in, "--strict", "-o", strict); got.code != exitFailed || !strings.Contains(got.err, "5 values of header") {
		t.Errorf("strict: exit code %d, %q", got.code, got.err)
	}
	if _, err := os.Stat(strict); err == nil {
		t.Error("strict: a file is there all the same")
	}
	if got := loadstone(t, "", "convert", in, "--strict", "-o", filepath.Join(dir, "strict.parquet")); got.code != exitDone {
		t.Errorf("strict, and nothing lost: exit code %d, %q", got.code, got.err)
	}
	if got := loadstone(t, "", "convert", "--format", "csv", writeLog(t, tiny)); !strings.Contains(got.err, "warning: standard output: lost: ") {
		t.Errorf("what standard output cannot hold: %q", got.err)
	}
	if got := loadstone(t, "", "convert", in, "-o", filepath.Join(dir, "a.xls")); got.code != exitUsage || !strings.Contains(got.err, "parquet") {
		t.Errorf("unknown extension: exit code %d, %q", got.code, got.err)
	}
}

func TestConvertPrintsJobs(t *testing.T) {
	in := writeLog(t, tiny)
	got := loadstone(t, "", "convert", in)
	want := `job  submit_s  wait_s  run_s  size  requested_s  status  user  application  queue  partition
  1         0       0    100     4          200       1     1            1      0          1
  2        10      90     50     2           60       1     2            1      0          1
  3        20      80     10     2           10       0     1            1      1          1
  4        30      80     20     4           20       1     2            1      1          1
`
	if got.out != want {
		t.Errorf("got\n%s\nwant\n%s", got.out, want)
	}
	got = loadstone(t, "", "convert", in, "--format", "json")
	first := `{"schema":"loadstone.jobs/1","jobs":[
{"job_id":1,"submit_time_s":0,"wait_time_s":0,"run_time_s":100,"allocated_processors":4,"requested_processors":4,"requested_time_s":200,"status":1,"user_id":1,"group_id":1,"application_id":1,"queue_id":0,"partition_id":1},`
	if !strings.HasPrefix(got.out, first) || !strings.HasSuffix(got.out, "}\n]}\n") {
		t.Errorf("got\n%s", got.out)
	}
}
