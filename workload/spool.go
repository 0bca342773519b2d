package workload

import (
	"fmt"
	"os"
)

// UnlinkedFile creates a temporary file and removes its name at once, so that nothing
// remains when the program ends in any way.
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
