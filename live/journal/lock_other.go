//go:build !windows && (!unix || aix || solaris)

package journal

import (
	"errors"
	"os"
)

func openLocked(string) (*os.File, error) {
	return nil, errors.New("file locks are not supported on this operating system: a store can be written on Linux, macOS, BSD and Windows")
}
