package cli

import (
	"flag"
	"os"
	goruntime "runtime"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// The test binary runs as the command itself if asCommand is set, because signals apply to a whole
// process.
const asCommand = "LOADSTONE_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) == "" {
		// Scripts wait for services and timers, so more of them than there are processors are
		// needed to keep these busy. The flag -parallel takes precedence because it is parsed
		// later.
		if err := flag.Set("test.parallel", strconv.Itoa(2*goruntime.GOMAXPROCS(0))); err != nil {
			panic(err)
		}
		// Commands are short here: the garbage collector would take half of their processor time.
		const percent = 400
		debug.SetGCPercent(percent)
		os.Setenv("GOGC", strconv.Itoa(percent)) // for the processes of the commands
		testscript.Main(m, map[string]func(){"loadstone": func() { os.Exit(Main(os.Args[1:], Standard())) }})
	}
	os.Exit(Main(os.Args[1:], Standard()))
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
