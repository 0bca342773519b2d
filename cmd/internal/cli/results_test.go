package cli

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
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

func TestDescribeByHand(t *testing.T) {
	var d inspect.Description
	decode(t, &d, "describe", writeLog(t, tiny))
	run := d.Columns["run_time_s"]
	// 10, 20, 50, 100: mean 45; quartiles by linear interpolation 17.5, 35,
	// 62.5; standard deviation sqrt((35² + 25² + 5² + 55²)/3) = 40.4145.
	for _, c := range []struct {
		name string
		got  stats.Number
		want float64
	}{
		{"mean", run.Mean, 45}, {"q25", run.Q25, 17.5}, {"median", run.Median, 35}, {"q75", run.Q75, 62.5},
		{"min", run.Min, 10}, {"max", run.Max, 100}, {"cv", run.CV, math.Sqrt(4900.0/3) / 45},
		// 4*100 + 2*50 + 2*10 + 4*20 = 600 processor seconds in 30 s on 4.
		{"offered load", d.OfferedLoad, 5}, {"serial", stats.Number(d.Serial), 0}, {"powers", stats.Number(d.PowerOfTwo), 1},
		{"last end", d.Log.LastEnd, 150},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
	if d.Jobs != 4 || run.Known != 4 || run.Method != "exact" || d.Log.Processors != 4 || d.Log.Computer != "Abacus" ||
		d.Status[workload.Status(workload.StatusCompleted)] != 3 || d.Status[workload.Status(workload.StatusFailed)] != 1 || d.Groups["user_id"].Distinct != 2 || d.Groups["queue_id"].Distinct != 2 {
		t.Errorf("got %+v", d)
	}
	if d.Columns["cpu_time_s"].Known != 0 {
		t.Errorf("unknown CPU times are counted as known")
	}
}

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

func TestRuntimeByHand(t *testing.T) {
	log := writeLog(t, `; MaxProcs: 4
1 0 0 100 1 -1 -1 1 -1 -1 1 7 -1 -1 -1 1 -1 -1
2 200 0 50 1 -1 -1 1 -1 -1 1 7 -1 -1 -1 1 -1 -1
3 240 0 60 1 -1 -1 1 -1 -1 1 7 -1 -1 -1 1 -1 -1
4 400 0 80 1 -1 -1 1 -1 -1 1 7 -1 -1 -1 1 -1 -1
5 500 0 10 1 -1 -1 1 -1 -1 1 8 -1 -1 -1 1 -1 -1
`)
	dir := t.TempDir()
	predictions := filepath.Join(dir, "p.csv")
	var r evaluate.RunTimesResult
	decode(t, &r, "runtime", log, "--classes", "user", "--predictors", "last,rm", "--predictions", predictions)
	// User 7: job 2 sees 100; job 3 too, because job 2 ends at 250; job 4 sees
	// 100, 50 (at 250) and 60 (at 300). User 8 has no history.
	want := map[string]float64{"last": (50.0/100 + 60.0/100 + 60.0/80) / 3, "rm": (50.0/100 + 60.0/100 + 70.0/80) / 3}
	for _, s := range r.Scores {
		if s.Jobs != 5 || s.Predicted != 3 || !near(s.Coverage, 0.6) || !near(s.AccuracyMean, want[s.Predictor]) {
			t.Errorf("got %+v, want accuracy %v", s, want[s.Predictor])
		}
	}
	b, err := os.ReadFile(predictions)
	if err != nil {
		t.Fatal(err)
	}
	if want := `job_id,classes,predictor,predicted_s,actual_s,history_n
2,user,last,100,50,1
2,user,rm,100,50,1
3,user,last,100,60,1
3,user,rm,100,60,1
4,user,last,60,80,1
4,user,rm,70,80,3
`; string(b) != want {
		t.Errorf("predictions: got\n%s\nwant\n%s", b, want)
	}
}

func TestPredictWithoutWaits(t *testing.T) {
	log := writeLog(t, strings.ReplaceAll(strings.ReplaceAll(tiny, " 90 50", " -1 50"), " 80 ", " -1 "))
	log = writeLog(t, strings.ReplaceAll(mustRead(t, log), "1 0 0 100", "1 0 -1 100"))
	got := loadstone(t, "", "predict", log, "--trim", "0")
	if got.code != exitDone || !strings.Contains(got.err, "no job has a known wait") || strings.Contains(got.out, "bmbp") {
		t.Errorf("all predictors: exit code %d, %q\n%s", got.code, got.err, got.out)
	}
	got = loadstone(t, "", "predict", log, "--predictors", "bmbp")
	if got.code != exitFailed || !strings.Contains(got.err, "no job has a known wait") || got.out != "" {
		t.Errorf("bounds only: exit code %d, %q", got.code, got.err)
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

func TestFitGenerateFit(t *testing.T) {
	dir := t.TempDir()
	log, model := filepath.Join(dir, "a.swf"), filepath.Join(dir, "m.json")
	for _, args := range [][]string{
		{"generate", "--model", "lublin1999", "--jobs", "4000", "--seed", "3", "-o", log},
		{"fit", log, "--by", "queue_id", "-o", model, "--plots", dir},
		{"generate", "--model", model, "--days", "3", "-o", filepath.Join(dir, "b.parquet")},
	} {
		if got := loadstone(t, "", args...); got.code != exitDone {
			t.Fatalf("%q: %s", args, got.err)
		}
	}
	for _, name := range []string{"run-times-queue_id-0.svg", "run-times-queue_id-1.svg"} {
		if svg := mustRead(t, filepath.Join(dir, name)); !strings.Contains(svg, "</svg>") || !strings.Contains(svg, "hyper-gamma") {
			t.Errorf("%s is no picture with a legend", name)
		}
	}
	// A hand on the model: a wrong value is one error that names it.
	text := mustRead(t, model)
	broken := strings.Replace(text, `"arar": `, `"arar": -`, 1)
	if broken == text {
		t.Fatal("the model has no arar")
	}
	if err := os.WriteFile(model, []byte(broken), 0o666); err != nil {
		t.Fatal(err)
	}
	got := loadstone(t, "", "generate", "--model", model, "--jobs", "10", "-o", filepath.Join(dir, "c.swf"))
	if got.code != exitFailed || !strings.Contains(got.err, "classes[0].arrivals.arar") {
		t.Errorf("a negative arar: exit code %d, %q", got.code, got.err)
	}
	if _, err := os.Stat(filepath.Join(dir, "c.swf")); err == nil {
		t.Error("a file was written from a broken model")
	}
	if got := loadstone(t, "", "generate", "--model", "lublin2099", "--jobs", "10"); got.code != exitFailed || !strings.Contains(got.err, "lublin1999-batch") {
		t.Errorf("an unknown model: exit code %d, %q", got.code, got.err)
	}
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

// What fails leaves no file, of several outputs none.
func TestFailureLeavesNoOutputOfSeveral(t *testing.T) {
	noRun := writeLog(t, "1 0 0 -1 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n")
	log := writeLog(t, tiny)
	for _, args := range [][]string{
		{"runtime", noRun, "--predictions", "p.csv"},
		{"runtime", log, "--predictions", "p.csv", "-o", "nowhere/r.json"},
		{"predict", log, "--trim", "0", "--predictions", "p.csv", "-o", "nowhere/r.json"},
		{"fit", log, "-o", "nowhere/m.json", "--plots", "pictures"},
	} {
		t.Chdir(t.TempDir())
		got := loadstone(t, "", args...)
		if got.code != exitFailed || got.out != "" {
			t.Errorf("%q: exit code %d, output %q", args, got.code, got.out)
		}
		if left := files(t, "."); len(left) > 0 {
			t.Errorf("%q: left %q behind", args, left)
		}
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
