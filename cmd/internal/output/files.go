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
// when the command has succeeded: after a failure or an interrupt there is none
// of them, and what stood there before is untouched. All are whole before the
// first is renamed. The renames themselves follow each other; only the system's
// death between two of them leaves new files beside old ones.
//
// The zero value is ready for use, from several goroutines.
type Files struct {
	mu      sync.Mutex
	open    []file         // being written
	whole   []finishedFile // that wait for the others, in the order of their ends
	folders []string       // made for them, the outer ones first
	ended   bool           // by put or Abort
}

// file is *logfile.File, *logfile.Output, or the outputs of a command that
// another one runs.
type file interface{ Abort() }

// Keep remembers a file being written, so that an interrupt removes it; the
// function returned removes it unless it is whole.
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

// finishedFile is a file that can be ended before it is put in its place.
type finishedFile interface {
	file
	Finish() error
	Commit() error
	Place() string // path where Commit puts it; empty where the target is written directly
}

var _, _ finishedFile = (*logfile.File)(nil), (*logfile.Output)(nil)

// Finish ends a file that is kept; put puts it in its place.
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

// Put puts the files in their places.
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
// were made for them. It waits for put.
func (o *Files) Abort() { o.Discard() }

// Discard is Abort; it returns how many whole files it removed.
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
		os.Remove(folder) // fails where something else is in it
	}
	o.open, o.whole, o.folders = nil, nil, nil
}

// MakeFolder makes a folder for files, and those above it.
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

// fileFault is an error of the system about a file, without Go's name for what
// was tried.
func fileFault(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: cannot be written: %w", path, err)
}
