package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/study/sweep"
)

// writeStudy writes a study of 24 runs in a folder whose name is to be quoted, beside
// a log, and returns the study's path.
func writeStudy(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), `it's "a" {study} $HOME 100%`)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	loadstone(t, "", "-q", "generate", "--model", "demo", "--jobs", "400", "--seed", "3", "-o", filepath.Join(dir, "log.swf"))
	study := filepath.Join(dir, "study.yaml")
	text := "logs: [log.swf]\nloads: [0.6, 0.9]\nseeds: 3\npolicies: [fcfs, easy, sjf, conservative]\n"
	if err := os.WriteFile(study, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return study
}

// sweepTables are the bytes of the tables of a folder of results, where no other file is left.
func sweepTables(t *testing.T, results string) string {
	t.Helper()
	for _, pattern := range []string{".*.tmp", "runs/*/.*"} {
		if left, err := filepath.Glob(filepath.Join(results, pattern)); err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	}
	return string(mustRead(t, filepath.Join(results, "table.csv"))) + string(mustRead(t, filepath.Join(results, "table.parquet")))
}

// sweepLocally runs all and returns the tables.
func sweepLocally(t *testing.T, study string) string {
	t.Helper()
	results := filepath.Join(t.TempDir(), "local")
	if got := loadstone(t, "", "sweep", study, "--results", results); got.code != exitDone {
		t.Fatalf("exit code %d, error %q", got.code, got.err)
	}
	return sweepTables(t, results)
}

func TestSweep(t *testing.T) {
	study := writeStudy(t)
	plots := filepath.Join(t.TempDir(), "p")
	got := loadstone(t, "", "sweep", study, "--plots", plots)
	if got.code != exitDone || !strings.HasPrefix(got.out, "log  load  policy        estimates  measure") || !strings.Contains(got.err, "study.results: 24 runs, 0 done\n") {
		t.Fatalf("exit code %d, error %q, output\n%s", got.code, got.err, got.out)
	}
	for _, want := range []string{"  wait_q90_s  ", "\nlow, high: ends of the 95 % interval", "\ndiff.: mean minus that of fcfs on the same jobs", "'loadstone simulate LOG' also shows the log's own waits"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	if strings.Contains(got.out, "wait_max_s") {
		t.Errorf("the longest wait is in the table for people:\n%s", got.out)
	}
	table := string(mustRead(t, filepath.Join(filepath.Dir(study), "study.results", "table.csv")))
	if lines := strings.Split(table, "\n"); len(lines) != 1+24*16+1 || lines[0] != "study,run,log,load,seed,policy,estimates,feedback,predicts,predictor,classes,measure,value,seeds,mean,low,high,difference,difference_mean,difference_low,difference_high" {
		t.Errorf("%d lines, the first\n%s", len(lines), lines[0])
	}
	if all, _ := filepath.Glob(filepath.Join(plots, "sweep-log-wait_mean_s-*.svg")); len(all) != 1 {
		t.Errorf("pictures %v", all)
	}
	again := loadstone(t, "", "sweep", study, "--format", "json")
	var s sweep.Summary
	if err := json.Unmarshal([]byte(again.out), &s); err != nil || s.Runs != 24 || len(s.Groups) != 8*16 || strings.Contains(again.err, "done") {
		t.Errorf("%v, %d groups, error %q", err, len(s.Groups), again.err)
	}
	var list sweep.List
	decode(t, &list, "sweep", study, "--list")
	if len(list.Runs) != 24 || list.Runs[23].Number != 24 || list.Runs[23].Policy != "conservative" {
		t.Errorf("%+v", list)
	}
}

// Logs whose names are the same in the name of a file have pictures of their own.
func TestSweepPlotsOfNamesAlike(t *testing.T) {
	study := writeStudy(t)
	text := "logs: [{file: log.swf, name: a b}, {file: log.swf, name: a-b}, {file: log.swf, name: A-B}]\nworkloads: scaled\nloads: [0.6, 0.9]\npolicies: [fcfs]\n"
	if err := os.WriteFile(study, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	plots := filepath.Join(t.TempDir(), "p")
	got := loadstone(t, "", "-q", "sweep", study, "--plots", plots)
	if all, _ := filepath.Glob(filepath.Join(plots, "sweep-*-wait_mean_s*.svg")); got.code != exitDone || len(all) != 3 {
		t.Errorf("exit code %d, error %q, pictures %v", got.code, got.err, all)
	}
}

// sweepKilled kills the command at n random moments, each time resuming, and compares the
// tables with those of a run in peace.
func sweepKilled(t *testing.T, n int) {
	study := writeStudy(t)
	want := sweepLocally(t, study)
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	killed := 0
	for round := 0; killed < n; round++ {
		results := filepath.Join(t.TempDir(), "r")
		for {
			p := newProcess(t, t.TempDir(), "-q", "sweep", study, "--results", results)
			p.Env = append(p.Env, fmt.Sprintf("GOMAXPROCS=%d", 1+rng.IntN(3)))
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			stop := time.AfterFunc(time.Duration(rng.Int64N(int64(400*time.Millisecond))), func() { p.Process.Kill() })
			err := p.Wait()
			stop.Stop()
			if err == nil {
				break
			}
			if p.ProcessState.ExitCode() != -1 {
				t.Fatalf("exit code %d, error %q", p.ProcessState.ExitCode(), p.err.String())
			}
			if killed++; killed >= 100*n {
				t.Fatal("the study does not end")
			}
			for _, pattern := range []string{".*.tmp", "runs/*/.*.tmp"} { // hours pass
				left, _ := filepath.Glob(filepath.Join(results, pattern))
				for _, path := range left {
					os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0))
				}
			}
		}
		if sweepTables(t, results) != want {
			t.Errorf("round %d: other bytes than those of a run in peace", round)
		}
	}
	t.Logf("killed %d times", killed)
}

func TestSweepKilled(t *testing.T) { sweepKilled(t, 8) }

// A disk that is full ends the study with an error and leaves no half file; then there is
// space again.
func TestSweepFullDisk(t *testing.T) {
	study := writeStudy(t)
	want := sweepLocally(t, study)
	results := filepath.Join(t.TempDir(), "r")
	for _, most := range []int{200, 1000, 20_000} { // manifest, results, tables
		p := newProcess(t, t.TempDir(), "-q", "sweep", study, "--results", results)
		p.Env = append(p.Env, fmt.Sprintf("%s=%d", mostBytes, most))
		if err := p.Run(); err == nil || !strings.Contains(p.err.String(), "cannot be written: ") {
			t.Errorf("%d bytes: %v, error %q", most, err, p.err.String())
		}
		for _, pattern := range []string{"table.*", ".*.tmp", "runs/*/.*.tmp"} {
			if left, _ := filepath.Glob(filepath.Join(results, pattern)); len(left) > 0 {
				t.Errorf("%d bytes: left %v", most, left)
			}
		}
	}
	if got := loadstone(t, "", "-q", "sweep", study, "--results", results); got.code != exitDone {
		t.Fatalf("exit code %d, error %q", got.code, got.err)
	}
	if sweepTables(t, results) != want {
		t.Error("other bytes than those of a run in peace")
	}
}

// A folder that does not exist, or has no study, has nothing to collect, and is not made.
func TestSweepCollectNothing(t *testing.T) {
	study := writeStudy(t)
	results := filepath.Join(t.TempDir(), "r")
	for range 2 {
		got := loadstone(t, "", "sweep", study, "--results", results, "--collect")
		if got.code != exitFailed || !strings.Contains(got.err, "r/manifest.json: no such file: want the folder of results of study study, whose runs are done") {
			t.Errorf("exit code %d, error %q", got.code, got.err)
		}
		if left, _ := filepath.Glob(filepath.Join(results, "*")); len(left) > 0 {
			t.Errorf("made %v", left)
		}
		os.Mkdir(results, 0o777)
	}
}

// A finished study in a folder that may not be written is shown.
func TestSweepReadOnly(t *testing.T) {
	study := writeStudy(t)
	results := filepath.Join(t.TempDir(), "r")
	want := loadstone(t, "", "-q", "sweep", study, "--results", results)
	for _, name := range []string{"table.csv", "table.parquet"} { // the superuser may write into any folder
		if err := os.Chmod(filepath.Join(results, name), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(results, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(results, 0o777)
	for _, more := range [][]string{nil, {"--collect"}} {
		got := loadstone(t, "", append([]string{"-q", "sweep", study, "--results", results}, more...)...)
		if got.code != exitDone || got.out != want.out || got.err != "" {
			t.Errorf("%q: exit code %d, error %q, output\n%s", more, got.code, got.err, got.out)
		}
	}
}

func TestSweepUsage(t *testing.T) {
	study := writeStudy(t)
	for _, c := range []struct{ args, want string }{
		{"--list --collect", "want either --list or --collect"},
		{"--run 0", `--run "0": want the number of a run, from 1, or two such as 7-12`},
		{"--run 5-3", `--run "5-3": want`},
		{"--slurm --plots p", "--plots is for all runs or --collect, not for --slurm"},
		{"--run 3 --format json", "--format is for results and --list, not for --run"},
		{"--timezone Europe/Zurich", "--timezone: a study says how its logs are read"},
		{"--as pm100", "--as: a study says how its logs are read"},
	} {
		if got := loadstone(t, "", append([]string{"sweep", study}, strings.Fields(c.args)...)...); got.code != exitUsage || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: exit code %d, error %q, want %q", c.args, got.code, got.err, c.want)
		}
	}
	dir := filepath.Dir(study)
	for _, c := range []struct {
		files []string
		code  int
		want  string
	}{
		{[]string{"-"}, exitUsage, "saw -, want a study file"},
		{[]string{""}, exitUsage, "saw an empty name, want a study file"},
		{[]string{study, study}, exitUsage, "saw 2 files, want one study"},
		{[]string{dir}, exitFailed, dir + ": cannot be read: is a directory\n"},
	} {
		if got := loadstone(t, "", append([]string{"sweep"}, c.files...)...); got.code != c.code || !strings.Contains(got.err, "loadstone: "+c.want) {
			t.Errorf("%q: exit code %d, error %q, want %q", c.files, got.code, got.err, c.want)
		}
	}
	if got := loadstone(t, "", "sweep", study, "--run", "25"); got.code != exitFailed || !strings.Contains(got.err, "study study has no run 25, want 1 to 24") {
		t.Errorf("exit code %d, error %q", got.code, got.err)
	}
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	os.WriteFile(bad, []byte("logs: [log.swf]\npolicys: [fcfs]\n"), 0o666)
	if got := loadstone(t, "", "sweep", bad); got.code != exitFailed || !strings.Contains(got.err, "bad.yaml:2: column 1: saw unknown key \"policys\", want one of name, ") {
		t.Errorf("exit code %d, error %q", got.code, got.err)
	}
	many := filepath.Join(t.TempDir(), "many.yaml")
	os.WriteFile(many, []byte("logs: [log.swf]\npolicies: [fcfs]\nseeds: 1000000000\n"), 0o666)
	if got := loadstone(t, "", "sweep", many, "--list"); got.code != exitFailed || !strings.Contains(got.err, "1000000000 runs") || !strings.Contains(got.err, "277778 hours") {
		t.Errorf("exit code %d, error %q", got.code, got.err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(many), "*.results")); len(left) > 0 {
		t.Errorf("made %v", left)
	}
}

// asLoadstone is the environment in which scripts run the test binary as the command.
func asLoadstone(cmd *exec.Cmd) *exec.Cmd {
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// The commands of --parallel do the study, by a shell or by GNU parallel.
func TestSweepParallel(t *testing.T) {
	t.Parallel()
	study := writeStudy(t)
	want := sweepLocally(t, study)
	for _, runner := range [][]string{{"sh"}, {"parallel", "--will-cite", "-j", "2"}} {
		program, err := exec.LookPath(runner[0])
		if err == nil && runner[0] == "parallel" {
			if text, _ := exec.Command(program, "--version").Output(); !strings.HasPrefix(string(text), "GNU parallel") {
				err = exec.ErrNotFound
			}
		}
		if err != nil {
			t.Logf("%s is not installed: not tried", runner[0])
			continue
		}
		results := filepath.Join(t.TempDir(), "it's")
		list := loadstone(t, "", "sweep", study, "--results", results, "--parallel")
		if list.code != exitDone || strings.Count(list.out, "\n") != 24 {
			t.Fatalf("exit code %d, output\n%s", list.code, list.out)
		}
		cmd := asLoadstone(exec.Command(program, runner[1:]...))
		cmd.Stdin = strings.NewReader(list.out)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", runner[0], err, out)
		}
		if got := loadstone(t, "", "sweep", study, "--results", results, "--collect"); got.code != exitDone {
			t.Fatalf("exit code %d, error %q", got.code, got.err)
		}
		if sweepTables(t, results) != want {
			t.Errorf("%s: other bytes than those of a local run", runner[0])
		}
	}
}

// The Snakefile does the study.
func TestSweepSnakemake(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("snakemake")
	if err != nil {
		t.Skip("snakemake is not installed")
	}
	study := writeStudy(t)
	want := sweepLocally(t, study)
	dir := t.TempDir()
	results := filepath.Join(dir, "it's {r}")
	file := loadstone(t, "", "sweep", study, "--results", results, "--snakemake")
	if err := os.WriteFile(filepath.Join(dir, "Snakefile"), []byte(file.out), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := asLoadstone(exec.Command(program, "--cores", "2", "-q"))
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, "HOME="+dir, "XDG_CACHE_HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if sweepTables(t, results) != want {
		t.Error("other bytes than those of a local run")
	}
}

// fakeSbatch runs the tasks of an array, or the one job, at once, in its folder.
const fakeSbatch = `#!/bin/sh
array=; dir=.
for arg; do
  case $arg in
  --array=1-*) array=${arg#--array=1-} ;;
  --chdir=*) dir=${arg#--chdir=} ;;
  --dependency=*) [ "$arg" = --dependency=afterok:77 ] || exit 9 ;;
  esac
done
cd "$dir" || exit 9
cat >job.sh
i=1
while [ "$i" -le "${array:-1}" ]; do
  SLURM_ARRAY_JOB_ID=77 SLURM_ARRAY_TASK_ID=$i sh job.sh >"$i.txt" 2>&1 || exit 8
  i=$((i + 1))
done
echo "77;cluster"
`

// The script of --slurm does the study where sbatch runs jobs; .ci/sweep-slurm has the real one.
func TestSweepSlurmScript(t *testing.T) {
	study := writeStudy(t)
	want := sweepLocally(t, study)
	dir := t.TempDir()
	results := filepath.Join(dir, "it's 100%")
	if err := os.WriteFile(filepath.Join(dir, "sbatch"), []byte(fakeSbatch), 0o777); err != nil {
		t.Fatal(err)
	}
	script := loadstone(t, "", "sweep", study, "--results", results, "--slurm")
	cmd := asLoadstone(exec.Command("sh"))
	cmd.Env = append(cmd.Env, "PATH="+dir+":"+os.Getenv("PATH"))
	cmd.Stdin = strings.NewReader(script.out)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, script.out)
	}
	if sweepTables(t, results) != want {
		t.Error("other bytes than those of a local run")
	}
}
