package output

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// fake is a file that records the calls of its methods.
type fake struct {
	name, place string
	fault       error // returned by Commit
	done        *[]string
}

func (f *fake) Abort()        { *f.done = append(*f.done, "abort "+f.name) }
func (f *fake) Finish() error { return nil }
func (f *fake) Commit() error { *f.done = append(*f.done, "commit "+f.name); return f.fault }
func (f *fake) Place() string { return f.place }

func TestFilesArePutTogether(t *testing.T) {
	full := errors.New("no space left on device")
	for _, c := range []struct {
		name  string
		files []fake
		kept  int // the number of files at the end that are not finished
		want  []string
		err   string
	}{
		// Committed files are aborted afterwards, which has no effect on them.
		{"two", []fake{{name: "a", place: "a"}, {name: "b", place: "b"}}, 0, []string{"commit a", "commit b", "abort a", "abort b"}, ""},
		{"one is not whole", []fake{{name: "a", place: "a"}, {name: "b", place: "b"}}, 1, []string{"commit a", "abort b", "abort a"}, ""},
		{"one place", []fake{{name: "a", place: "x"}, {name: "b", place: "x"}}, 0, []string{"abort a", "abort b"}, "x: two outputs would be written there"},
		{"no place", []fake{{name: "a"}, {name: "b"}}, 0, []string{"commit a", "commit b", "abort a", "abort b"}, ""},
		{"a full disk", []fake{{name: "a", place: "a", fault: full}, {name: "b", place: "b"}}, 0, []string{"commit a", "abort a", "abort b"}, full.Error()},
	} {
		var done []string
		var o Files
		for i := range c.files {
			f := &c.files[i]
			f.done = &done
			stop := o.Keep(f)
			if i < len(c.files)-c.kept {
				jobtest.NoError(t, o.Finish(f))
				stop() // no effect on a finished file
			}
		}
		err := o.Put()
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) || !slices.Equal(done, c.want) {
			t.Errorf("%s: %v, %q, want %q", c.name, err, done, c.want)
		}
		done = nil
		if o.Keep(&fake{name: "late", done: &done}); !slices.Equal(done, []string{"abort late"}) || o.Discard() != 0 || o.Put() != nil {
			t.Errorf("%s: after the end %q", c.name, done)
		}
	}
}

// After an interrupt the files are removed, and so are directories that were created for them.
func TestFilesAborted(t *testing.T) {
	dir := t.TempDir()
	var done []string
	var o Files
	f, g := &fake{name: "a", place: "a", done: &done}, &fake{name: "b", place: "b", done: &done}
	o.Keep(f)
	stop := o.Keep(g)
	stop()
	jobtest.NoError(t, o.Finish(f))
	jobtest.NoError(t, os.Mkdir(filepath.Join(dir, "old"), 0o700))
	for _, folder := range []string{"old/new/deep", "used"} {
		jobtest.NoError(t, o.MakeFolder(filepath.Join(dir, folder)))
	}
	jobtest.NoError(t, os.WriteFile(filepath.Join(dir, "used", "file"), nil, 0o600))
	if n := o.Discard(); n != 1 || !slices.Equal(done, []string{"abort b", "abort a"}) {
		t.Errorf("%d whole files discarded, %q", n, done)
	}
	for folder, want := range map[string]bool{"old": true, "old/new": false, "used": true} {
		if _, err := os.Stat(filepath.Join(dir, folder)); (err == nil) != want {
			t.Errorf("%s: %v", folder, err)
		}
	}
	file := filepath.Join(dir, "used", "file")
	if err := o.MakeFolder(filepath.Join(file, "x")); err == nil || !strings.HasPrefix(err.Error(), file+"/x: cannot be written: not a directory") {
		t.Errorf("a folder in a file: %v", err)
	}
}

func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	jobtest.NoError(t, os.WriteFile(file, nil, 0o600))
	for path, want := range map[string]string{
		file: "", filepath.Join(dir, "new"): "", dir: "is a directory", filepath.Join(file, "x"): "file is not a folder", filepath.Join(dir, "no", "x"): "no does not exist",
	} {
		if err := NoPlace(path); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("a file %s: %v, want %q", path, err, want)
		}
	}
	for path, want := range map[string]string{
		dir: "", filepath.Join(dir, "a", "b"): "", file: "file is a file", filepath.Join(file, "a", "b"): "file is a file",
	} {
		if err := FolderFault(path); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("a folder %s: %v, want %q", path, err, want)
		}
	}
	for path, want := range map[string]bool{"a.csv": true, "b.CSV": true, "c.parquet": false, "-": false, "csv": false} {
		if err := CheckTable("per-job", path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}
