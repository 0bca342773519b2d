package cli

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// decode runs a command with --format json and decodes what it prints.
func decode(t *testing.T, v any, args ...string) {
	t.Helper()
	got := loadstone(t, "", append(args, "--format", "json")...)
	if got.code != exitDone {
		t.Fatalf("%q: exit code %d: %s", args, got.code, got.err)
	}
	d := json.NewDecoder(strings.NewReader(got.out))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, got.out)
	}
}

func near[N ~float64](got N, want float64) bool { return math.Abs(float64(got)-want) < 1e-9 }

func TestSimulateByHand(t *testing.T) {
	got := loadstone(t, "", "-q", "simulate", writeLog(t, tiny), "--format", "swf")
	// Four processors: job 1 holds all until 100, then jobs 2 and 3 run side
	// by side, and job 4 has to wait for the longer of them, until 150.
	for _, line := range []string{"\n1 0 0 100 ", "\n2 10 90 50 ", "\n3 20 80 10 ", "\n4 30 120 20 "} {
		if !strings.Contains(got.out, line) {
			t.Errorf("want a line that begins %q in\n%s", line[1:], got.out)
		}
	}
	if !strings.Contains(got.out, "Note: wait times are simulated: policy fcfs on 4 processors") {
		t.Errorf("the header does not say that waits are simulated:\n%s", got.out)
	}
	small := loadstone(t, "", "simulate", writeLog(t, tiny), "--procs", "2", "--format", "swf")
	if !strings.Contains(small.err, "2 times, first: job 1 of 4 processors, machine of 2 (larger-than-machine)") || small.code != exitDone {
		t.Errorf("machine smaller than two jobs: exit code %d, %q", small.code, small.err)
	}
	none := loadstone(t, "", "simulate", writeLog(t, tiny), "--procs", "1", "--format", "table")
	if none.code != exitFailed || none.out != "" {
		t.Errorf("machine smaller than all jobs: exit code %d, output %q", none.code, none.out)
	}
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A log without waits, as generate makes, points to what computes them; one with waits does not.
func TestNoWaitsPointToSimulate(t *testing.T) {
	const hint = "'loadstone simulate' gives a log simulated waits"
	made := filepath.Join(t.TempDir(), "made.swf")
	if got := loadstone(t, "", "generate", "--model", "lublin1999", "--jobs", "20", "-o", made); got.code != exitDone {
		t.Fatal(got.err)
	}
	for _, command := range []string{"describe", "validate"} {
		if got := loadstone(t, "", command, made); strings.Count(got.out, hint) != 1 {
			t.Errorf("%s:\n%s", command, got.out)
		}
		if got := loadstone(t, "", command, writeLog(t, tiny)); strings.Contains(got.out, hint) {
			t.Errorf("%s:\n%s", command, got.out)
		}
	}
}

func TestOutputNames(t *testing.T) {
	log := writeLog(t, tiny)
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"describe", log, "-o", "-"}, "-o -: want a file; without -o, results go to standard output"},
		{[]string{"convert", log, "-o", "-"}, "-o -: want a file; without -o, results go to standard output"},
		{[]string{"runtime", log, "--predictions", "-"}, "--predictions -: want a file"},
		{[]string{"describe", log, "-o", filepath.Join(dir, "d.yaml")}, ".json, .csv or .txt"},
		{[]string{"describe", log, "--format", "csv", "-o", filepath.Join(dir, "d.json")}, "use one of them"},
		{[]string{"convert", log, "--format", "csv", "-o", filepath.Join(dir, "d.swf")}, "use one of them"},
	} {
		got := loadstone(t, "", c.args...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %q", c.args, got.code, got.out, got.err, c.want)
		}
	}
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("left %q behind", left)
	}
	for name, want := range map[string]string{"d.json": `"loadstone.describe/1"`, "d.csv": "column,unit,known", "d.txt": "computer       Abacus"} {
		path := filepath.Join(dir, name)
		if got := loadstone(t, "", "describe", log, "-o", path); got.code != exitDone || got.out != "" {
			t.Errorf("%s: exit code %d, output %q, %s", name, got.code, got.out, got.err)
		}
		if text := mustRead(t, path); !strings.Contains(text, want) {
			t.Errorf("%s holds\n%s", name, text)
		}
	}
}

func TestFitByWhatIsNotThere(t *testing.T) {
	log := writeLog(t, strings.ReplaceAll(tiny, " 0 1 -1 -1\n", " -1 1 -1 -1\n"))
	log = writeLog(t, strings.ReplaceAll(mustRead(t, log), " 1 1 -1 -1\n", " -1 1 -1 -1\n"))
	if got := loadstone(t, "", "fit", log, "--by", "queue_id"); got.code != exitFailed || !strings.Contains(got.err, "no job has a queue_id") {
		t.Errorf("exit code %d, %q", got.code, got.err)
	}
	if got := loadstone(t, "", "fit", log, "--status", "9"); got.code != exitFailed || !strings.Contains(got.err, "none of 4 jobs has one of the status codes") {
		t.Errorf("exit code %d, %q", got.code, got.err)
	}
}

func TestDescribeNegativeAndSerial(t *testing.T) {
	log := writeLog(t, "1 0 0 -7 1 -1 -1 1 -1 -1 9 1 1 1 1 1 -1 -1\n2 5 0 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n")
	got := loadstone(t, "", "describe", log)
	for _, want := range []string{"100.0% serial\n", "run_time_s: 1 negative values are left out", "1 with the undefined code 9", "no UnixStartTime"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("want %q in\n%s", want, got.out)
		}
	}
	if strings.Contains(got.out, "NaN") {
		t.Errorf("NaN in\n%s", got.out)
	}
}

// A log from standard input is read once, a file again for each pass: the
// scores are the same.
func TestPredictFromStandardInput(t *testing.T) {
	args := []string{"--trim", "0", "--format", "csv"}
	file := loadstone(t, "", append([]string{"predict", writeLog(t, tiny)}, args...)...)
	pipe := loadstone(t, tiny, append([]string{"predict", "-"}, args...)...)
	if file.code != exitDone || file.out != pipe.out {
		t.Errorf("exit code %d, %s\nfrom a file\n%s\nfrom a pipe\n%s", file.code, file.err, file.out, pipe.out)
	}
}
