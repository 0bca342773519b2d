package journal

import (
	"errors"
	"os"
	"syscall"
)

// openLocked opens or creates a file. Until it is closed or the process ends, other processes can
// read the file but not open it for writing. The error is ErrLocked if another process has done so.
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
