package cli

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/live"
)

// A real Slurm in states in which no job can start, and one that answers slowly: the service
// predicts no start and gives the reason; slow polls do not make its state stale.
func TestRealSlurmStates(t *testing.T) {
	if os.Getenv("LOADSTONE_SLURM") == "" {
		t.Skip("needs a running Slurm: see .ci/slurm")
	}
	scontrol := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("scontrol", args...).CombinedOutput(); err != nil {
			t.Fatalf("scontrol %q: %v: %s", args, err, out)
		}
	}
	squeue := jobtest.Must(exec.LookPath("squeue"))
	dir := t.TempDir()
	jobtest.NoError(t, os.WriteFile(filepath.Join(dir, "squeue"), []byte("#!/bin/sh\nsleep 2\nexec "+squeue+" \"$@\"\n"), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	s := startService(t, "--slurm", "--interval", "1")
	ready := func() bool { status, _ := s.get("/readyz"); return status == http.StatusOK }
	waitFor(t, "the first poll", ready)
	for range 30 { // four polls
		if time.Sleep(500 * time.Millisecond); !ready() {
			_, text := s.get("/v1/status")
			t.Errorf("polls of 2 s make the state stale: %s", text)
		}
	}
	out := jobtest.Must(exec.Command("sinfo", "-h", "-o", "%n").Output())
	node := strings.Fields(string(out))[0]
	resume := func() { scontrol("update", "nodename="+node, "state=resume") }
	for _, c := range []struct {
		partition, reason string
		change            []string
		back              func()
	}{
		{"batch", "unavailable", []string{"update", "nodename=" + node, "state=drain", "reason=test"}, resume},
		{"short", "partition-down", []string{"update", "partitionname=short", "state=down"}, nil},
		{"short", "partition-drain", []string{"update", "partitionname=short", "state=drain"}, nil},
		{"short", "partition-inactive", []string{"update", "partitionname=short", "state=inactive"}, func() { scontrol("update", "partitionname=short", "state=up") }},
		{"batch", "unavailable", []string{"create", "reservation", "reservationname=test", "starttime=now", "duration=10", "users=root", "nodes=" + node, "flags=ignore_jobs"},
			func() { scontrol("delete", "reservationname=test") }},
	} {
		scontrol(c.change...)
		var a live.Answer
		waitFor(t, c.reason, func() bool {
			a = live.Answer{}
			s.read("/v1/wait?size=4&partition="+c.partition, &a)
			return a.Withheld != nil && a.Withheld.Reason == c.reason
		})
		if a.Start != nil || len(a.Predictions) > 0 || a.Recommended != "" {
			t.Errorf("%s: %+v, want no prediction", c.reason, a)
		}
		waitFor(t, "the metric of "+c.reason, func() bool {
			_, text := s.get("/metrics")
			return strings.Contains(text, `loadstone_partition_blocked{partition="`+c.partition+`",reason="`+c.reason+`"} 1`) &&
				!strings.Contains(text, `loadstone_predicted_wait_seconds{partition="`+c.partition)
		})
		if c.back != nil {
			c.back()
			waitFor(t, "the end of "+c.reason, func() bool {
				a = live.Answer{}
				s.read("/v1/wait?size=4&partition="+c.partition, &a)
				return a.Withheld == nil
			})
		}
	}
}
