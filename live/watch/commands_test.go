package watch

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// fakeCommands installs shell scripts under the given names in a directory in PATH.
func fakeCommands(t *testing.T, scripts map[string]string) {
	t.Helper()
	if goruntime.GOOS == "windows" {
		t.Skip("the commands of the test are shell scripts")
	}
	dir := t.TempDir()
	for name, script := range scripts {
		jobtest.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+"/usr/bin"+string(os.PathListSeparator)+"/bin")
}

// testdataPath returns the path of a testdata file, quoted for a shell.
func testdataPath(t *testing.T, name string) string {
	t.Helper()
	path := jobtest.Must(filepath.Abs(filepath.Join("testdata", name)))
	return "'" + path + "'"
}

func commandsSource(o Options) Source {
	o.Origin, o.Names, o.Since = testOrigin, &Names{}, testOrigin
	return Commands(o)
}

// The commands are run without a shell, with times in UTC and without the environment variables by
// which users change their output.
func TestCommands(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	note := `echo "${0##*/} $* TZ=$TZ LC_ALL=$LC_ALL SQUEUE_FORMAT=$SQUEUE_FORMAT SLURM_CONF=$SLURM_CONF" >>'` + asked + "'\n"
	fakeCommands(t, map[string]string{
		"squeue": note + "cat " + testdataPath(t, "squeue-22.05.json"),
		"sacct":  note + "cat " + testdataPath(t, "sacct-22.05.json"),
		"scontrol": note + `case "$*" in *nodes) cat ` + testdataPath(t, "nodes-22.05.txt") + ` ;; *partition) cat ` + testdataPath(t, "partitions-22.05.txt") +
			` ;; *) echo No reservations in the system ;; esac`,
	})
	t.Setenv("SQUEUE_FORMAT", "%i")
	t.Setenv("SLURM_CONF", "/a b;c")
	p, err := commandsSource(Options{}).Poll(context.Background())
	if err != nil || len(p.Jobs) != 11 || len(p.Ended) != 5 || p.Capacity.Total != 64 || p.Partial {
		t.Fatalf("%+v, %v", p, err)
	}
	text := jobtest.Must(os.ReadFile(asked))
	const env = " TZ=UTC LC_ALL=C SQUEUE_FORMAT= SLURM_CONF=/a b;c"
	want := []string{
		"sacct --allusers --allocations --duplicates --state=" + endedStates + " --starttime=2026-11-23T11:20:00 --endtime=now --json" + env,
		"squeue --all --states=all --json" + env,
		"scontrol --all --oneliner show nodes" + env,
		"scontrol --all --oneliner show partition" + env,
		"scontrol --all --oneliner show reservation" + env,
		"",
	}
	if got := strings.Split(string(text), "\n"); !slices.Equal(got, want) {
		t.Errorf("asked\n%s\nwant\n%s", text, strings.Join(want, "\n"))
	}
}

// Without support for --json the text output is read, and JSON is not requested again.
func TestCommandsWithoutJSON(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	no := "case \"$*\" in *--json*) echo \"${0##*/}: unrecognized option '--json'\" >&2; echo \"${0##*/}\" >>'" + asked + "'; exit 1 ;; esac\n"
	fakeCommands(t, map[string]string{
		"squeue":   no,
		"sacct":    no + "echo 'JobIDRaw|Submit|Start|End|State|NCPUS'; echo '7|2026-11-23T11:31:00|2026-11-23T11:31:10|2026-11-23T11:31:30|COMPLETED|4'",
		"scontrol": `case "$*" in *job) echo 'JobId=9 JobName=a b UserId=u(1) JobState=PENDING Reason=Priority TimeLimit=00:10:00 SubmitTime=2026-11-23T11:33:00 StartTime=2026-11-23T11:40:00 NumCPUs=3' ;; *) exit 1 ;; esac`,
	})
	source := commandsSource(Options{})
	for range 2 {
		p, err := source.Poll(context.Background())
		if err != nil || len(p.Jobs) != 1 || p.Jobs[0].Expected != 600 || len(p.Ended) != 1 || p.Ended[0].Run != 20 || p.Partial {
			t.Fatalf("%+v, %v", p, err)
		}
	}
	if text, _ := os.ReadFile(asked); string(text) != "sacct\nsqueue\n" {
		t.Errorf("asked for JSON: %q", text)
	}
}

// Incomplete lists and lists from a command with a nonzero exit status are rejected; the size of a
// command's output and its time are limited.
func TestCommandFaults(t *testing.T) {
	list := testdataPath(t, "squeue-22.05.json")
	for squeue, want := range map[string]string{
		"echo 'slurm_load_jobs error: Unable to\ncontact slurm controller' >&2; exit 1": "squeue: exit status 1: slurm_load_jobs error: Unable to contact slurm controller$",
		"cat " + list + "; exit 3": "squeue: exit status 3$",
		"head -c 9999 " + list:     "slurm jobs:",
		"exec sleep 60":            "squeue: no answer within 300ms",
		"head -c 3000000 /dev/zero | tr '\\0' x >&2; exit 1": "xx",
	} {
		fakeCommands(t, map[string]string{"sacct": "exit 1", "squeue": squeue})
		began, timeout := time.Now(), time.Minute
		if strings.Contains(squeue, "sleep") {
			timeout = 300 * time.Millisecond
		}
		_, err := commandsSource(Options{Timeout: timeout}).Poll(t.Context())
		if err == nil || !strings.Contains(err.Error()+"$", want) || len(err.Error()) > 2*maxSaid || time.Since(began) > 20*time.Second {
			t.Errorf("%s: %.999s after %v, want %s", squeue, err, time.Since(began), want)
		}
	}
	fakeCommands(t, map[string]string{"sacct": "exit 1", "squeue": "exec sleep 60"})
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := commandsSource(Options{}).Poll(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	t.Setenv("PATH", "/nowhere")
	_, err := commandsSource(Options{}).Poll(t.Context())
	if !errors.Is(err, exec.ErrNotFound) || !strings.HasPrefix(err.Error(), "squeue: exec:") || !strings.Contains(err.Error(), "login node") || !strings.Contains(err.Error(), "--replay LOG") {
		t.Error(err)
	}
}

// A stopped command ends together with all its child processes.
func TestCommandsEndWithTheirChildren(t *testing.T) {
	if goruntime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	file := filepath.Join(t.TempDir(), "pid")
	fakeCommands(t, map[string]string{"sacct": "exit 1", "squeue": "sleep 60 & echo $! >'" + file + "'; wait"})
	if _, err := commandsSource(Options{Timeout: 300 * time.Millisecond}).Poll(context.Background()); err == nil {
		t.Error("no error")
	}
	pid := jobtest.Must(os.ReadFile(file))
	for range 100 { // until its parent has reaped it
		text, err := os.ReadFile(filepath.Join("/proc", strings.TrimSpace(string(pid)), "cmdline"))
		if err != nil || len(text) == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("the sleep runs on")
}
