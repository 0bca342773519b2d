// Package reallogs finds the real logs for tests. They are not part of the
// repository: they are in the folder that LOADSTONE_TRACES names, by default
// ../shared/traces beside the repository's root.
package reallogs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// Path returns the path of a log, which is named as it is within the folder
// ("swf/LCG-2005-1.swf.gz"; "" is the folder itself), or skips the test where
// it is not there.
func Path(t testing.TB, name string) string {
	t.Helper()
	path, err := Find(name)
	if err != nil {
		t.Skipf("no real log (%v): set LOADSTONE_TRACES", err)
	}
	return path
}

// Find is Path for tests that can do without the log: it is an error that it
// is not there.
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
