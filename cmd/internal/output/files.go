package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Files are the files that a command writes. They are put in place together
// when the command has succeeded. After a failure or an interrupt none of them
// exists, and existing files are untouched. All files are complete before the
// first is renamed. The renames follow one another; only a crash of the system
// between two of them leaves a mixture of new and old files.
//
// The zero value is ready to use. Files is safe for concurrent use.
type Files struct {
	mu      sync.Mutex
	open    []file         // being written
	whole   []finishedFile // complete, in the order in which they were finished
	folders []string       // made for the files, outer ones first
	ended   bool           // by Put, Abort or Discard
}

// file is a *logfile.File, a *logfile.Output, or the *Files of a command run by
// another command.
type file interface{ Abort() }

// Keep records a file being written, so that an interrupt removes it. The
// function returned removes it unless it has been finished.
func (o *Files) Keep(f file) (stop func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended { // by an interrupt
		f.Abort()
		return func() {}
	}
	o.open = append(o.open, f)
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if i := slices.Index(o.open, f); i >= 0 {
			o.open = slices.Delete(o.open, i, i+1)
			f.Abort()
		}
	}
}

// finishedFile is a file that can be completed before it is put in its place.
type finishedFile interface {
	file
	Finish() error
	Commit() error
	Place() string // path where Commit puts it; empty if the target is written directly
}

var _, _ finishedFile = (*logfile.File)(nil), (*logfile.Output)(nil)

// Finish completes a file that was passed to Keep; Put will put it in its place.
func (o *Files) Finish(f finishedFile) error {
	if err := f.Finish(); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.Index(o.open, file(f)); i >= 0 {
		o.open = slices.Delete(o.open, i, i+1)
		o.whole = append(o.whole, f)
	}
	return nil
}

// Put puts the finished files in their places and removes the others. It does nothing after Put,
// Abort or Discard.
func (o *Files) Put() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended {
		return nil
	}
	o.ended = true
	defer o.abort()
	places := map[string]bool{}
	for _, f := range o.whole {
		if places[f.Place()] {
			return fmt.Errorf("%s: two outputs would be written there: want another name for one", f.Place())
		}
		places[f.Place()] = f.Place() != ""
	}
	for _, f := range o.whole {
		if err := f.Commit(); err != nil {
			return err
		}
	}
	o.folders = nil
	return nil
}

// Abort removes the files that are not in their places, and the folders that
// were made for them. It waits for a running Put.
func (o *Files) Abort() { o.Discard() }

// Discard is like Abort, but returns the number of complete files that it removed.
func (o *Files) Discard() (whole int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	whole = len(o.whole)
	o.ended = true
	o.abort()
	return whole
}

func (o *Files) abort() {
	for _, f := range o.open {
		f.Abort()
	}
	for _, f := range o.whole {
		f.Abort()
	}
	for _, folder := range slices.Backward(o.folders) {
		os.Remove(folder) // fails if the folder is not empty
	}
	o.open, o.whole, o.folders = nil, nil, nil
}

// MakeFolder makes a folder for files, and any missing parents.
func (o *Files) MakeFolder(path string) error {
	var missing []string
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		if _, err := os.Stat(p); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, p)
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return fileFault(path, err)
	}
	slices.Reverse(missing)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.folders = append(o.folders, missing...)
	return nil
}

// fileFault returns an error of the system about a file, without the name of Go's
// operation.
func fileFault(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: cannot be written: %w", path, err)
}
