package journal

import (
	"errors"
	"os"
	"syscall"
)

// openLocked opens a file, or creates it, so that other processes may read it but not open it
// for writing, until this one ends.
func openLocked(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	const sharingViolation = syscall.Errno(32)
	switch {
	case errors.Is(err, sharingViolation):
		return nil, ErrLocked
	case err != nil:
		return nil, err
	}
	return os.NewFile(uintptr(h), path), nil
}
