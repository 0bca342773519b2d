// Package links follows symbolic links, also where what they lead to does not
// exist yet, and recognises names that are written directly.
package links

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Follow returns the absolute path of the file that a name stands for, with the links of its
// folders and its own resolved. Unlike filepath.EvalSymlinks it does not need the file or its
// folder to exist. "link/.." is the folder of the link. Links that lead in a circle are an error.
func Follow(name string) (string, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	for range 40 { // as many links as Linux follows
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

// Direct reports whether what is written under a name goes there directly: to a device, a
// pipe or an open descriptor such as /dev/stdout. A temporary file cannot take its place.
func Direct(name string) bool {
	info, err := os.Stat(name)
	if err != nil || info.IsDir() {
		return false
	}
	path := filepath.Clean(name)
	return !info.Mode().IsRegular() || path == "/dev/stdout" || path == "/dev/stderr" ||
		strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}
