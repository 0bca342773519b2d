package cli

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/live"
)

// slurmctld is Slurm's commands as scripts, whose answers a test chooses.
type slurmctld struct {
	t   *testing.T
	dir string
}

// fakeSlurm puts the commands in PATH. squeue answers as the file "mode" says.
func fakeSlurm(t *testing.T) *slurmctld {
	t.Helper()
	if goruntime.GOOS == "windows" {
		t.Skip("the commands are shell scripts")
	}
	s := &slurmctld{t, t.TempDir()}
	from, err := filepath.Abs("../../../live/watch/testdata")
	if err != nil {
		t.Fatal(err)
	}
	queue, past := filepath.Join(s.dir, "squeue.json"), filepath.Join(s.dir, "sacct.json")
	ofNow(t, filepath.Join(from, "squeue-22.05.json"), queue)
	ofNow(t, filepath.Join(from, "sacct-22.05.json"), past)
	for name, script := range map[string]string{
		"squeue": `case $(cat '` + s.dir + `/mode') in
			good) exec cat '` + queue + `' ;;
			hangs) exec sleep 60 ;;
			fails) echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >&2; exit 1 ;;
			cut) exec head -c 3000 '` + queue + `' ;;
			empty) exit 0 ;;
			rubbish) echo "<html>502 Bad Gateway</html>" ;;
			esac`,
		"sacct":    "exec cat '" + past + "'",
		"scontrol": `case "$*" in *nodes) cat '` + filepath.Join(from, "nodes-22.05.txt") + `' ;; *partition) cat '` + filepath.Join(from, "partitions-22.05.txt") + `' ;; *) echo No reservations in the system ;; esac`,
	} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", s.dir+":/usr/bin:/bin")
	s.is("good")
	return s
}

// ofNow copies recorded answers and moves their times to now. A job that ended more than a day
// ago is forgotten, and so would be new to the service if squeue still showed it.
func ofNow(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	const recorded = 1795433622
	moved := time.Now().Unix() - recorded
	text = regexp.MustCompile(`\b1795\d{6}\b`).ReplaceAllFunc(text, func(at []byte) []byte {
		seconds, err := strconv.ParseInt(string(at), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return strconv.AppendInt(nil, seconds+moved, 10)
	})
	if err := os.WriteFile(to, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// is has squeue answer so from now on.
func (s *slurmctld) is(mode string) {
	s.t.Helper()
	next := filepath.Join(s.dir, "next")
	if err := os.WriteFile(next, []byte(mode), 0o666); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(next, filepath.Join(s.dir, "mode")); err != nil {
		s.t.Fatal(err)
	}
}

// While Slurm does not answer, or answers with rubbish, the service answers from the last
// state and says how old it is. It recovers when Slurm does.
func TestServeWithoutSlurm(t *testing.T) {
	slurm := fakeSlurm(t)
	s := startService(t, "--slurm", "--interval", "0.1", "--store", t.TempDir())
	ready := func(want int) func() bool {
		return func() bool { status, _ := s.get("/readyz"); return status == want }
	}
	// Where the machine is busy the state may be old again by the next question.
	answered := func(a *live.Answer) func() bool {
		return func() bool {
			*a = live.Answer{}
			status, text := s.get("/v1/wait?size=4")
			return status == http.StatusOK && json.Unmarshal([]byte(text), a) == nil && !a.State.Stale
		}
	}
	var good live.Answer
	waitFor(t, "the first state", answered(&good))
	if good.State.Processors != 64 || good.State.Running == 0 || good.State.Pending == 0 {
		t.Errorf("state %+v", good.State)
	}
	for mode, why := range map[string]string{
		"hangs": "no answer within 2s", "fails": "Unable to contact slurm controller", "cut": "", "empty": "", "rubbish": "",
	} {
		slurm.is(mode)
		waitFor(t, mode+": an old state", ready(http.StatusServiceUnavailable))
		var old live.Answer
		s.read("/v1/wait?size=4", &old)
		if !old.State.Stale || old.State.Age < 0.3 || old.State.Running != good.State.Running || old.State.Pending != good.State.Pending || old.State.Processors != 64 {
			t.Errorf("%s: state %+v, want an old one like %+v", mode, old.State, good.State)
		}
		if _, text := s.get("/metrics"); !strings.Contains(text, "loadstone_poll_age_seconds") {
			t.Errorf("%s: no age among the metrics", mode)
		}
		waitFor(t, mode+": a fault", func() bool {
			_, text := s.get("/readyz")
			return strings.Contains(text, "the last poll failed: ") && strings.Contains(text, why) && strings.Contains(text, " s old")
		})
		slurm.is("good")
		var again live.Answer
		waitFor(t, mode+": recovery", answered(&again))
		if again.State.Running != good.State.Running || again.State.Pending != good.State.Pending {
			t.Errorf("after %s: state %+v, want one like %+v", mode, again.State, good.State)
		}
	}
	code, log := s.stop()
	if code != exitDone || !strings.Contains(log, `msg="poll failed"`) || !strings.Contains(log, `msg="poll succeeded again"`) {
		t.Errorf("exit code %d\n%s", code, log)
	}
}

// A machine can be watched by files, which are read again when they change.
func TestServeFiles(t *testing.T) {
	const from = "../../../live/watch/testdata/"
	text, err := os.ReadFile(from + "squeue-22.05.json")
	if err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(t.TempDir(), "squeue.json")
	if err := os.WriteFile(state, text, 0o666); err != nil {
		t.Fatal(err)
	}
	s := startService(t, "--state", state, "--history", from+"sacct-22.05.json", "--interval", "0.1", "--procs", "64")
	var status live.Status
	waitFor(t, "the first state", func() bool { s.read("/v1/status", &status); return status.Phase == live.Watching })
	if status.State.Pending == 0 || status.State.Running == 0 || status.State.Processors != 64 {
		t.Errorf("state %+v", status.State)
	}
	head, _, _ := strings.Cut(string(text), `"jobs"`)
	// A job counts as gone when two lists lack it.
	waitFor(t, "the new state", func() bool {
		if err := os.WriteFile(state, []byte(head+`"jobs": []}`), 0o666); err != nil {
			t.Fatal(err)
		}
		s.read("/v1/status", &status)
		return status.State.Pending+status.State.Running == 0
	})
}
