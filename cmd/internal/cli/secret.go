package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// secretFile is a file being written that only its owner may read, from the
// moment at which it is there.
type secretFile struct {
	*os.File
	once sync.Once
}

// Abort removes the file; after a rename there is nothing to remove.
func (s *secretFile) Abort() {
	s.once.Do(func() {
		s.Close()
		os.Remove(s.Name())
	})
}

// withSecret writes a file that only its owner may read beside what then does:
// it appears under its name, in place of an old one, when then has succeeded,
// and not at all otherwise.
func (a *app) withSecret(path string, write func(io.Writer) error, then func() error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: is no regular file, want one that only its owner can read", path)
	}
	// CreateTemp makes files of mode 0600.
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return fileFault(path, err)
	}
	s := &secretFile{File: f}
	defer a.keep(s)()
	defer s.Abort()
	if err := write(f); err != nil {
		return fileFault(path, err)
	}
	if err := f.Close(); err != nil {
		return fileFault(path, err)
	}
	if err := then(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fileFault(path, err)
	}
	return nil
}
