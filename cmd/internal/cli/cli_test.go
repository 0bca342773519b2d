package cli

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// update rewrites generated and frozen files; review the differences.
var update = flag.Bool("update", false, "rewrite generated and frozen files")

// outcome is the result of one run of the command.
type outcome struct {
	code     int
	out, err string
}

// loadstone runs the command in this process, for tests of properties common to all commands and
// tests that need Go. The behaviour of single commands is tested in testdata/script.
func loadstone(t testing.TB, stdin string, args ...string) outcome {
	t.Helper()
	var out, err bytes.Buffer
	code := run(context.Background(), args, Streams{strings.NewReader(stdin), &out, &err})
	return outcome{code, out.String(), err.String()}
}

func mustRead(path string) string { return string(jobtest.Must(os.ReadFile(path))) }

func lines(s string) []string {
	s = strings.TrimRight(s, "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}
