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

// update rewrites files that are generated or frozen: read the difference.
var update = flag.Bool("update", false, "rewrite generated and frozen files")

// outcome is what one run of the command did.
type outcome struct {
	code     int
	out, err string
}

// loadstone runs the command in this process, for tests of what all commands have in common and
// of what needs Go. What a command does is in testdata/script.
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
