// Package links follows symbolic links, also where what they lead to does not
// exist yet, and recognises names that are written directly.
package links

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Follow returns the absolute path of the file that a name stands for, with the
// links of its folders and its own resolved. Neither the file nor its folders
// need to exist: filepath.EvalSymlinks wants both. Two names with the same path
// are the same file, whether it exists or not. Links that lead in a circle are
// an error.
func Follow(name string) (string, error) {
	path := name
	if !filepath.IsAbs(path) {
		wd, err := os.Getwd()
		if err != nil {
			return "", err
		}
		path = wd + string(filepath.Separator) + path // not Join: "link/.." is the folder above the link's target
	}
	at, rest := split(path)
	for links := 0; len(rest) > 0; {
		next := rest[0]
		rest = rest[1:]
		switch next {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		below := filepath.Join(at, next)
		info, err := os.Lstat(below)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			at = below
			continue
		}
		if links++; links > 40 { // as many as Linux follows
			return "", fmt.Errorf("%s: its symbolic links go round in circles", name)
		}
		to, err := os.Readlink(below)
		if err != nil {
			return "", err
		}
		steps := strings.Split(filepath.FromSlash(to), string(filepath.Separator))
		if filepath.IsAbs(to) {
			at, steps = split(to)
		}
		rest = append(steps, rest...)
	}
	return at, nil
}

// split returns the root of an absolute path and the names below it.
func split(path string) (root string, names []string) {
	volume := filepath.VolumeName(path)
	separator := string(filepath.Separator)
	return volume + separator, strings.Split(filepath.FromSlash(path[len(volume):]), separator)
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
