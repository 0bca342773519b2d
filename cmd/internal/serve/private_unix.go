//go:build !windows

package serve

import "io/fs"

// private says whether others than the file's user and group have no permissions.
func private(info fs.FileInfo) bool { return info.Mode().Perm()&0o007 == 0 }
