//go:build !windows

package serve

import "io/fs"

// private reports whether only the file's owner and group have permissions.
func private(info fs.FileInfo) bool { return info.Mode().Perm()&0o007 == 0 }
