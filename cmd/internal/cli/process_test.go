package cli

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// The test binary runs as the command itself where asCommand is set: signals are of a whole
// process.
const asCommand = "LOADSTONE_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) == "" {
		testscript.Main(m, map[string]func(){"loadstone": func() { os.Exit(Main(os.Args[1:], Standard())) }})
	}
	os.Exit(Main(os.Args[1:], Standard()))
}

// process is the command as a process.
type process struct {
	*exec.Cmd
	temp     string // its folder for temporary files
	out, err bytes.Buffer
}

// newProcess prepares the command, to be run in a folder.
func newProcess(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	// Processes inherit what is ignored, as under nohup and in a shell's background jobs, but
	// not what is handled; and a service that ends in this process resets what it handled.
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGHUP, syscall.SIGTERM} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	p := &process{Cmd: exec.Command(os.Args[0], args...), temp: t.TempDir()}
	p.Dir, p.Stdout, p.Stderr = dir, &p.out, &p.err
	p.Env = append(os.Environ(), asCommand+"=1", "TMPDIR="+p.temp)
	p.WaitDelay = 30 * time.Second
	return p
}

// waitFor waits for a condition.
func waitFor(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !happened(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
