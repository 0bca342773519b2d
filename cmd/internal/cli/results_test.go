package cli

import (
	"encoding/json"
	"math"
	"os"
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
