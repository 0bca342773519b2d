package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/loadstone-hpc/loadstone/internal/links"
)

// Place returns the path of the file that is written for a name, following links.
func Place(name string) string {
	path, err := links.Follow(name)
	if err != nil { // a cycle of links, which is reported when the file is opened
		return filepath.Clean(name)
	}
	return path
}

// NoPlace returns an error if a file cannot be written, as far as can be determined without
// writing it.
func NoPlace(path string) error {
	folder := filepath.Dir(path)
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: the folder %s does not exist", path, folder)
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s: %s is not a folder", path, folder)
	}
	info, err = os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s: is a directory, want a file to write", path)
	case err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o222 == 0:
		return fmt.Errorf("%s: is read-only: write to another file, or give it write permission", path)
	}
	return nil
}

// FolderFault returns an error if a folder cannot be made, as far as can be determined
// without making it.
func FolderFault(path string) error {
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		info, err := os.Stat(p)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s: cannot be a folder: %s is a file", path, p)
		case err == nil || p == filepath.Dir(p):
			return nil
		}
	}
}
