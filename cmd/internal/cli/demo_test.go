package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// The demo is short, each step is answered in a few lines, and its model comes back: waits
// are within a factor of 1.2 of the log's, and in the long tests no distance is above .05 for
// other seeds than the demo's.
func TestDemo(t *testing.T) {
	t.Chdir(t.TempDir())
	got := loadstone(t, "", "demo")
	if got.code != exitDone || got.err != "" {
		t.Fatalf("exit code %d: %s", got.code, got.err)
	}
	all := lines(got.out)
	if len(all) > 90 {
		t.Errorf("%d lines, want at most 90", len(all))
	}
	for _, line := range all {
		if n := utf8.RuneCountInString(line); n > 100 {
			t.Errorf("%d characters, want at most 100: %s", n, line)
		}
	}
	steps := regexp.MustCompile(`(?m)^# .*[?.]\n\$ loadstone ((?:.*\\\n)*.*)\n((?:[^#\n].*\n|\n)*)`).FindAllStringSubmatch(got.out, -1)
	var commands []string
	for i, step := range steps {
		commands = append(commands, strings.Fields(step[1])[0])
		output := step[2]
		if i == len(steps)-1 {
			output, _, _ = strings.Cut(output, "\nOpen ")
		}
		answer := len(strings.FieldsFunc(output, func(r rune) bool { return r == '\n' }))
		if answer < 2 || answer > 8 {
			t.Errorf("%s is answered in %d lines:\n%s", commands[i], answer, output)
		}
	}
	if want := "generate simulate describe fit fit compare runtime predict"; strings.Join(commands, " ") != want {
		t.Errorf("the demo runs %s, want %s", commands, want)
	}
	for _, line := range []string{"Open loadstone-demo/run-times.svg first", "loadstone demo LOG", "loadstone describe LOG", "loadstone report LOG"} {
		if end := strings.Join(all[len(all)-4:], "\n"); !strings.Contains(end, line) {
			t.Errorf("the last lines have no %q:\n%s", line, end)
		}
	}
	for _, name := range []string{"jobs.swf", "log.swf", "model.json", "run-times.svg", "daily-cycles.svg"} {
		if _, err := os.Stat(filepath.Join("loadstone-demo", name)); err != nil {
			t.Error(err)
		}
	}
	wait := regexp.MustCompile(`wait ([0-9.]+) times as long as the log's`).FindStringSubmatch(got.out)
	if wait == nil {
		t.Fatal("the demo does not compare the model's waits")
	}
	if ratio, err := strconv.ParseFloat(wait[1], 64); err != nil || ratio > 1.2 || ratio < 1/1.2 {
		t.Errorf("the model's jobs wait %s times as long as the log's", wait[1])
	}
	for seed := range longtest.Size(0, 2) {
		demoComesBack(t, fmt.Sprint(seed+1))
	}
}

// demoComesBack makes a log of the demo's site from a seed, fits a model to it, and compares
// the two.
func demoComesBack(t *testing.T, seed string) {
	run := func(args ...string) string {
		t.Helper()
		got := loadstone(t, "", args...)
		if got.code != exitDone {
			t.Fatalf("%s: %s", args, got.err)
		}
		return got.out
	}
	run("generate", "--model", "demo", "--seed", seed, "-o", "jobs.swf")
	run("simulate", "jobs.swf", "--policy", "easy", "-o", "log.swf")
	run("fit", "log.swf", "-o", "model.json", "--no-check")
	run("generate", "--model", "model.json", "--seed", seed+"00", "-o", "drawn.swf")
	run("simulate", "drawn.swf", "--policy", "easy", "-o", "twin.swf")
	type attribute struct {
		Name string  `json:"name"`
		D    float64 `json:"ks_d"`
		A, B struct{ Mean float64 }
	}
	var js struct {
		Workloads []struct {
			Load float64 `json:"offered_load"`
		}
		Comparison struct {
			Attributes []attribute
			Day        attribute `json:"daily_cycle"`
		}
	}
	text := run("compare", "log.swf", "twin.swf", "--format", "json")
	// The cycles' a_pct are named as an attribute's a: only D is read of them.
	if err := json.Unmarshal([]byte(text), &js); err != nil {
		t.Fatal(err)
	}
	compared := append(js.Comparison.Attributes, attribute{Name: "time of day", D: js.Comparison.Day.D})
	if len(compared) != 6 {
		t.Fatalf("%d attributes, want sizes, run times, work, interarrival times, waits and times of day", len(compared))
	}
	for _, x := range compared {
		if x.Name == "wait_time_s" {
			if ratio := x.B.Mean / x.A.Mean; !(ratio <= 1.2 && ratio >= 1/1.2) {
				t.Errorf("seed %s: the twin waits %.2f times as long as the log", seed, ratio)
			}
		} else if !(x.D < .05) {
			t.Errorf("seed %s: D of %s is %.3f", seed, x.Name, x.D)
		}
	}
	if load := js.Workloads[0].Load; load < .69 || load > .71 {
		t.Errorf("seed %s: load %g, want .7", seed, load)
	}
}

// On a log of the user's, a step for which it lacks the data is skipped, with the reason;
// the others run. Files may have names that a shell would split.
func TestDemoOfALog(t *testing.T) {
	t.Chdir(t.TempDir())
	var b strings.Builder
	for i := range 400 { // no users, waits or estimates
		fmt.Fprintf(&b, "%d %d -1 %d %d -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n", i+1, i*300, 10*i, 1+i%5)
	}
	if err := os.WriteFile("my log.swf", []byte("; MaxProcs: 8\n"+b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	got := loadstone(t, "", "demo", "my log.swf", "-o", "out")
	if got.code != exitDone {
		t.Fatalf("exit code %d: %s%s", got.code, got.out, got.err)
	}
	if n := strings.Count(got.out, "\nskipped: the log does not say whose the jobs are"); n != 2 {
		t.Errorf("%d steps skipped for want of users, want 2:\n%s", n, got.out)
	}
	for _, want := range []string{
		"$ loadstone simulate 'my log.swf' --policy easy -o 'out/my log-easy.parquet' --estimates perfect\n",
		"$ loadstone runtime 'my log.swf' --predictors last2,kernel --classes site\n",
		"$ loadstone predict 'out/my log-easy.parquet' --predictors bmbp,qbets\nWaits in the log\n",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	if n := strings.Count(got.out, "(zero-run-time)"); n != 1 {
		t.Errorf("the warning of a run time of 0 stands %d times, want once:\n%s", n, got.out)
	}
	if strings.Contains(got.out, "Open ") {
		t.Error("a picture that was not drawn is named")
	}
	if got := loadstone(t, "", "demo", "nothing.swf", "-o", "out"); got.code != exitFailed {
		t.Errorf("a demo of a missing log: exit code %d", got.code)
	}
}

// A log that does not say how large its machine is has a demo too: on as many processors as
// were in use at once or, where no start is known, as the largest job has.
func TestDemoWithoutAMachine(t *testing.T) {
	t.Chdir(t.TempDir())
	at := func(wait string) string {
		var b strings.Builder
		for i := range 400 { // two jobs of 2 and 3 processors overlap, for 200 s in every 1000 s
			fmt.Fprintf(&b, "%d %d %s %d %d -1 -1 -1 -1 -1 1 %d -1 -1 -1 -1 -1 -1\n", i+1, i/2*1000+i%2*300, wait, 500+i, 2+i%2, 1+i%7)
		}
		return writeLog(t, b.String())
	}
	for wait, want := range map[string]string{"0": "assumes 5, the most in use at once;", "-1": "assumes 3, as many as the largest job has;"} {
		got := loadstone(t, "", "demo", at(wait), "-o", "of"+wait)
		if got.code != exitDone || !strings.Contains(got.err, want) || strings.Contains(got.out, "\nskipped: ") {
			t.Errorf("wait %s: exit code %d, %s\n%s", wait, got.code, got.err, got.out[max(0, len(got.out)-600):])
		}
	}
}
