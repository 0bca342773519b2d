package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// On a real Slurm (see .ci/slurm) an array of 24 runs, one task of which is killed with kill -9 and
// requeues itself, gives the same tables as a local run.
func TestRealSlurmSweep(t *testing.T) {
	if os.Getenv("LOADSTONE_SLURM") == "" {
		t.Skip("no Slurm: bash .ci/slurm starts one")
	}
	dir := t.TempDir()
	study, local, results := filepath.Join(dir, "study.yaml"), filepath.Join(dir, "local"), filepath.Join(dir, "it's")
	jobtest.NoError(t, os.WriteFile(study, []byte("logs: [log.swf]\nloads: [0.6, 0.9]\nseeds: 3\npolicies: [fcfs, easy, sjf, conservative]\n"), 0o666))
	loadstone(t, "", "-q", "generate", "--model", "demo", "--jobs", "30000", "--seed", "3", "-o", filepath.Join(dir, "log.swf"))
	loadstone(t, "", "sweep", study, "--results", local)
	script := loadstone(t, "", "sweep", study, "--results", results, "--slurm")
	cmd := exec.Command("sh")
	cmd.Env = append(os.Environ(), asCommand+"=1")
	cmd.Stdin = strings.NewReader(script.out)
	ids, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, ids)
	}
	var pid int
	var run string
	waitFor(t, "a run to kill", func() bool { pid, run = sweepTask(results); return pid > 0 })
	syscall.Kill(pid, syscall.SIGKILL)
	t.Logf("killed run %s; jobs %s", run, ids)
	table := filepath.Join(results, "table.csv")
	requeued := false
	for end := time.Now().Add(150 * time.Second); time.Now().Before(end); time.Sleep(time.Second) {
		queue := jobtest.Must(exec.Command("squeue", "-h", "-r", "-o", "%F_%K %T %r").Output())
		// A requeued job has to wait for two minutes, which the test shortens.
		if found := regexp.MustCompile(`(?m)^(\d+_` + run + `) PENDING BeginTime$`).FindSubmatch(queue); found != nil {
			requeued = true
			exec.Command("scontrol", "update", "jobid="+string(found[1]), "StartTime=now").Run()
		}
		if _, err := os.Stat(table); err == nil && len(bytes.TrimSpace(queue)) == 0 {
			break
		}
	}
	if !requeued {
		t.Error("the killed task was not requeued")
	}
	if _, err := os.Stat(table); err != nil {
		logs, _ := exec.Command("sh", "-c", "squeue; tail -n 3 "+"'"+results+"'"+"/slurm/*").CombinedOutput()
		t.Fatalf("no table\n%s", logs)
	}
	if mustRead(table) != mustRead(filepath.Join(local, "table.csv")) {
		t.Error("other bytes than those of a local run")
	}
}

// sweepTask returns a process that does a run in a directory of results, and the run.
func sweepTask(results string) (pid int, run string) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range all {
		text, _ := os.ReadFile(path)
		args := strings.Split(string(text), "\x00")
		for i, arg := range args {
			if arg == "--run" && i+1 < len(args) && len(args) > 4 && args[1] == "sweep" && args[4] == results {
				run, _, _ = strings.Cut(args[i+1], "-")
				pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(path)))
				return pid, run
			}
		}
	}
	return 0, ""
}
