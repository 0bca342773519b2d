package workload

import (
	"fmt"
	"io"
	"os"
)

// spool copies a stream to a temporary file, which is removed from its folder
// at once, so that nothing is left of it however the program ends.
func spool(r io.Reader) (*os.File, int64, error) {
	f, err := os.CreateTemp("", "loadstone-*")
	if err != nil {
		return nil, 0, fmt.Errorf("no temporary file to read it from: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, 0, err
	}
	size, err := io.Copy(f, r)
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, size, nil
}
