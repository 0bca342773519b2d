package workload

import (
	"fmt"
	"os"
)

// UnlinkedFile opens a temporary file, which is removed from its folder at once,
// so that nothing is left of it however the program ends.
func UnlinkedFile() (*os.File, error) {
	f, err := os.CreateTemp("", "loadstone-*")
	if err != nil {
		return nil, fmt.Errorf("no temporary file to work with: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
