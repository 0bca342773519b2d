// Package links follows symbolic links, even if their target does not exist yet,
// and recognises names that must be written to directly.
package links

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Follow returns the absolute path of the file that a name refers to, with all symbolic links
// resolved. Unlike with filepath.EvalSymlinks, the file or its folder need not exist. "link/.."
// is the folder that contains the link. A cycle of links is an error.
func Follow(name string) (string, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	for range 40 { // the limit of Linux
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real, nil
		}
		folder, err := Follow(filepath.Dir(path))
		if err != nil {
			return "", err
		}
		path = filepath.Join(folder, filepath.Base(path))
		to, err := os.Readlink(path)
		switch {
		case err != nil:
			return path, nil
		case filepath.IsAbs(to):
			path = to
		default:
			path = filepath.Join(folder, to)
		}
	}
	return "", fmt.Errorf("%s: its symbolic links go round in circles", name)
}

// Direct reports whether a name must be written to directly, because it is a device, a pipe or
// an open descriptor such as /dev/stdout, which a temporary file cannot replace.
func Direct(name string) bool {
	info, err := os.Stat(name)
	if err != nil || info.IsDir() {
		return false
	}
	path := filepath.Clean(name)
	return !info.Mode().IsRegular() || path == "/dev/stdout" || path == "/dev/stderr" ||
		strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}
