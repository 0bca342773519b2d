package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// outcome is what one run of the command did.
type outcome struct {
	code     int
	out, err string
}

func loadstone(t testing.TB, stdin string, args ...string) outcome {
	t.Helper()
	var out, err bytes.Buffer
	code := run(context.Background(), args, Streams{strings.NewReader(stdin), &out, &err})
	return outcome{code, out.String(), err.String()}
}

// tiny is a log in which everything can be worked out by hand: four processors,
// jobs of two users.
const tiny = `; Version: 2.2
; Computer: Abacus
; MaxProcs: 4
; UnixStartTime: 978307200
; TimeZoneString: UTC
1 0 0 100 4 -1 -1 4 200 -1 1 1 1 1 0 1 -1 -1
2 10 90 50 2 -1 -1 2 60 -1 1 2 1 1 0 1 -1 -1
3 20 80 10 2 -1 -1 2 10 -1 0 1 1 1 1 1 -1 -1
4 30 80 20 4 -1 -1 4 20 -1 1 2 1 1 1 1 -1 -1
`

func writeLog(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tiny.swf")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// files lists what is in a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// generated is a log of 3000 jobs, drawn from a published model.
func generated(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.swf")
	if got := loadstone(t, "", "-q", "generate", "--model", "lublin1999-batch", "--jobs", "3000", "--seed", "5", "-o", path); got.code != exitDone {
		t.Fatal(got.err)
	}
	return path
}

// logOf writes a log of some lines beside others.
func logOf(t *testing.T, dir, name, header string, lines ...string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("; UnixStartTime: 978307200\n; TimeZoneString: UTC\n"+header+strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
