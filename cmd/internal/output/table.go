package output

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/links"
)

// CheckTable returns an error if a table of rows, which is CSV, cannot be written to path. flag is
// the flag that set it.
func CheckTable(flag, path string) error {
	switch {
	case path == "-":
		return fmt.Errorf("--%s -: want a file; standard output has the result", flag)
	case strings.ToLower(filepath.Ext(path)) != ".csv" && !links.Direct(path):
		return fmt.Errorf("--%s %s: want a name that ends in .csv", flag, path)
	}
	return nil
}
