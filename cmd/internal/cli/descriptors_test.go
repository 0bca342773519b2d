package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// However few files a process may have open, there is a result or a message of one line:
// Go's own runtime, which needs some too, would end with a trace.
func TestFewDescriptors(t *testing.T) {
	if testing.Short() {
		t.Skip("runs processes")
	}
	if runtime.GOOS == "windows" {
		t.Skip("has no limit of open files")
	}
	t.Parallel()
	log, dir := writeLog(t, longLog(6)), t.TempDir()
	done := false
	for limit := 4; !done; limit++ {
		if limit > 40 {
			t.Fatal("no result with 40 files")
		}
		for _, args := range []string{"describe '" + log + "'", "split '" + log + "' --parts 6 -q -o '" + filepath.Join(dir, "part-{n}.swf") + "'"} {
			out, err := asLoadstone(exec.Command("sh", "-c", fmt.Sprintf("ulimit -n %d; exec '%s' %s", limit, os.Args[0], args))).CombinedOutput()
			done = err == nil
			if err != nil && (strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), "too many open files")) {
				t.Errorf("%s with %d files: %v, %.300s", args, limit, err, out)
			}
		}
	}
}
