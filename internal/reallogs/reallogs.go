// Package reallogs finds the real logs for tests. They are not part of the
// repository, but in the folder named by the environment variable
// LOADSTONE_TRACES, by default ../shared/traces relative to the repository's root.
package reallogs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// Path returns the path of a log, or skips the test if the log is not there. name
// is relative to the folder, such as "swf/LCG-2005-1.swf.gz"; "" means the folder
// itself.
func Path(t testing.TB, name string) string {
	t.Helper()
	path, err := Find(name)
	if err != nil {
		t.Skipf("no real log (%v): set LOADSTONE_TRACES", err)
	}
	return path
}

// Find is like Path, but returns an error if the log is not there. It is for tests
// that can do without the log.
func Find(name string) (string, error) {
	folder := os.Getenv("LOADSTONE_TRACES")
	if folder == "" {
		root, err := longtest.Root()
		if err != nil {
			return "", err
		}
		folder = filepath.Join(root, "..", "shared", "traces")
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	_, err := os.Stat(path)
	return path, err
}
