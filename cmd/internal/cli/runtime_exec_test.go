package cli

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestRuntimeExecInterrupted: a signal ends the program and what it started.
func TestRuntimeExecInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("runs processes")
	}
	dir := t.TempDir()
	held := filepath.Join(dir, "held")
	if err := syscall.Mkfifo(held, 0o600); err != nil {
		t.Fatal(err)
	}
	p := newProcess(t, dir, "runtime", writeLog(t, tiny), "--exec", "exec 3>held; echo >&3; sleep 1000 & cat >/dev/null")
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	r, err := os.Open(held) // waits for the program
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := io.ReadFull(r, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	p.Process.Signal(syscall.SIGINT)
	p.Wait()
	if code := p.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, want %d: %s", code, exitInterrupted, &p.err)
	}
	r.SetReadDeadline(time.Now().Add(20 * time.Second))
	if n, err := r.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("processes are left: %d, %v", n, err)
	}
}
