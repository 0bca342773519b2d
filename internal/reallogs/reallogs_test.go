package reallogs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "swf", "a.swf")
	if err := os.MkdirAll(filepath.Dir(log), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LOADSTONE_TRACES", dir)
	if got, err := Find("swf/a.swf"); got != log || err != nil {
		t.Errorf("%q, %v, want %q", got, err, log)
	}
	if _, err := Find("swf/b.swf"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a log that is not there: %v", err)
	}

	// By default they are beside the repository, wherever in it a test begins, and
	// wherever it changes to.
	t.Setenv("LOADSTONE_TRACES", "")
	root := filepath.Join(t.TempDir(), "repository")
	within := filepath.Join(root, "cmd", "internal")
	beside := filepath.Join(filepath.Dir(root), "shared", "traces")
	for _, d := range []string{within, beside} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "go.mod"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	defer func(folder string) { began = folder }(began)
	began = within
	t.Chdir(t.TempDir())
	if got, err := Find(""); got != beside || err != nil {
		t.Errorf("%q, %v, want %q", got, err, beside)
	}
}

// A test that has no log is skipped, not passed.
func TestPathSkips(t *testing.T) {
	t.Setenv("LOADSTONE_TRACES", t.TempDir())
	var inner *testing.T
	t.Run("without", func(t *testing.T) {
		inner = t
		Path(t, "swf/none.swf")
		t.Error("went on")
	})
	if !inner.Skipped() {
		t.Error("not skipped")
	}
}
