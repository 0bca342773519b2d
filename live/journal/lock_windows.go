package journal

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// lockFolder locks a store: the file is opened so that no other process may open it,
// until this one ends.
func lockFolder(dir string) (*os.File, error) {
	path := filepath.Join(dir, "lock")
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, inputFault(path, err)
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	const sharingViolation = syscall.Errno(32)
	switch {
	case errors.Is(err, sharingViolation):
		return nil, lockedError(dir, "")
	case err != nil:
		return nil, inputFault(path, err)
	}
	return os.NewFile(uintptr(h), path), nil
}

// syncFolder does nothing: the file system does it.
func syncFolder(string) error { return nil }
