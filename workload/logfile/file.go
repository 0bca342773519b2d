package logfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"github.com/loadstone-hpc/loadstone/internal/links"
)

// File is a file that appears complete or not at all. Data goes to a temporary file next to the
// target, and Commit renames it. A program that has the target open, including this one, keeps
// reading the old content.
//
// For several files that belong together, call Finish on each before the first Commit, so that
// likely failures, such as a full disk or an exceeded quota, occur before any file is replaced.
//
// A target that is not a regular file (a device, a pipe, an open descriptor such as /dev/stdout)
// is written directly.
type File struct {
	path  string   // as given, for messages; "" for a stream
	real  string   // absolute, after symbolic links
	temp  string   // "" if the target is written directly
	f     *os.File // nil for a stream
	buf   *bufio.Writer
	whole bool        // after Finish
	done  bool        // after Commit or Abort
	gone  atomic.Bool // after Abort or an error: nothing is left of it; atomic because a signal handler may abort
}

// ErrEnded is the error for writing to an output after Finish, Commit or Abort, and for
// committing one after Abort.
var ErrEnded = errors.New("the output has ended: write before Finish, Commit and Abort")

// NewFile opens a file for writing. It keeps the mode of an existing target. It returns an error
// if the path is a folder, if its folder is missing (errors.Is fs.ErrNotExist), or if it is not
// writable. A file without any write permission is an error (errors.Is fs.ErrPermission) even
// for the superuser.
func NewFile(path string) (*File, error) {
	f := &File{path: path, real: path}
	if links.Direct(path) {
		var err error
		if f.f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err != nil {
			return nil, f.fault(err)
		}
		f.buf = bufio.NewWriterSize(f.f, 1<<16)
		return f, nil
	}
	real, err := links.Follow(path) // renaming onto a symbolic link would replace the link
	if err != nil {
		return nil, err
	}
	f.real = real
	old, err := os.Stat(f.real)
	switch {
	case err == nil && old.IsDir():
		return nil, fmt.Errorf("%s: is a directory, want a file to write", path)
	case err == nil && readOnly(old):
		return nil, &fileError{path + ": is read-only: write to another file, or give it write permission", fs.ErrPermission}
	case err == nil:
		// Renaming needs no right to the target itself; writing does.
		w, err := os.OpenFile(f.real, os.O_WRONLY, 0)
		if err != nil {
			return nil, f.fault(err)
		}
		w.Close()
	case errors.Is(err, fs.ErrNotExist):
		dir, err := os.Stat(filepath.Dir(f.real))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &fileError{fmt.Sprintf("%s: the folder %s does not exist", path, f.folder()), fs.ErrNotExist}
		}
		if err == nil && !dir.IsDir() {
			return nil, fmt.Errorf("%s: %s is not a folder", path, f.folder())
		}
	default:
		return nil, f.fault(err)
	}
	if err := f.create(0o666); err != nil {
		return nil, err
	}
	if old != nil {
		if err := f.f.Chmod(old.Mode().Perm()); err != nil {
			f.Abort()
			return nil, f.fault(err)
		}
	}
	return f, nil
}

// fileError is an error with a text of its own for the cause.
type fileError struct {
	text  string
	cause error
}

func (e *fileError) Error() string { return e.text }

func (e *fileError) Unwrap() error { return e.cause }

// NewSecretFile opens a file for writing that only its owner can read, from the moment of its
// creation. An existing target is replaced, whatever its mode. A target that is not a regular
// file is an error.
func NewSecretFile(path string) (*File, error) {
	folder, err := links.Follow(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	f := &File{path: path, real: filepath.Join(folder, filepath.Base(path))}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() || links.Direct(path) {
		return nil, fmt.Errorf("%s: not a regular file, want one that only its owner can read", path)
	}
	if err := f.create(0o600); err != nil {
		return nil, err
	}
	return f, nil
}

// readOnly reports whether nobody may write a regular file. The system lets the superuser write
// it, and anyone who can write to the folder replace it, but its mode shows that neither is
// wanted.
func readOnly(info fs.FileInfo) bool {
	return info.Mode().IsRegular() && info.Mode().Perm()&0o222 == 0
}

// folder returns the target's folder for messages: as given if it is missing, else the folder of
// the file to which a link leads.
func (f *File) folder() string {
	folder := filepath.Dir(f.path)
	if _, err := os.Stat(folder); err == nil {
		folder = filepath.Dir(f.real)
	}
	return folder
}

// create creates the temporary file.
func (f *File) create(mode fs.FileMode) error {
	var err error
	for range 100 {
		// The name need not be reproducible: it is not part of a result.
		name := "." + filepath.Base(f.real) + "." + strconv.FormatUint(rand.Uint64(), 36) + ".tmp"
		f.temp = filepath.Join(filepath.Dir(f.real), name)
		f.f, err = os.OpenFile(f.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return f.fault(err)
	}
	f.buf = bufio.NewWriterSize(f.f, 1<<16)
	return nil
}

// fault returns err with the name of the target in place of the temporary file's.
func (f *File) fault(err error) error {
	if f.path == "" {
		return err
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		err = l.Err
	}
	return fmt.Errorf("%s: cannot be written: %w", f.path, err)
}

// Place returns the absolute path to which Commit renames the file, with symbolic links
// resolved; "" if the target is written directly.
func (f *File) Place() string {
	if f.temp == "" {
		return ""
	}
	return f.real
}

// Write appends b to the content. After Finish, Commit or Abort it returns ErrEnded.
func (f *File) Write(b []byte) (int, error) {
	if err := f.ended(); err != nil {
		return 0, err
	}
	n, err := f.buf.Write(b)
	if err != nil {
		return n, f.fault(err)
	}
	return n, nil
}

var _ io.Writer = (*File)(nil)

// ended returns ErrEnded, with the file's name, after Finish, Commit or Abort.
func (f *File) ended() error {
	switch {
	case !f.whole && !f.gone.Load():
		return nil
	case f.path == "":
		return ErrEnded
	}
	return fmt.Errorf("%s: %w", f.path, ErrEnded)
}

// Finish ends writing: the content is complete, under the temporary name. On an error the
// temporary file is removed. A second call does nothing; a call after Abort returns
// ErrEnded.
func (f *File) Finish() error {
	switch {
	case f.gone.Load():
		return f.ended()
	case f.whole || f.done:
		return nil
	}
	err := f.buf.Flush()
	if err == nil && f.f != nil {
		err = f.f.Close()
	}
	if err != nil {
		f.Abort()
		return f.fault(err)
	}
	f.whole = true
	return nil
}

// Commit finishes the file and renames it to its target. On an error the temporary file is
// removed. A second call does nothing; a call after Abort returns ErrEnded.
func (f *File) Commit() error {
	if f.done && !f.gone.Load() {
		return nil
	}
	if err := f.Finish(); err != nil {
		return err
	}
	if f.temp != "" {
		if err := os.Rename(f.temp, f.real); err != nil {
			f.Abort()
			return f.fault(err)
		}
	}
	f.done = true
	return nil
}

// Abort removes the temporary file. After Commit it does nothing, so it can be deferred.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	f.gone.Store(true)
	if f.f != nil {
		f.f.Close()
	}
	if f.temp != "" {
		os.Remove(f.temp)
	}
}
