package output

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/links"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// PlainFormat is the format that a file of a plain table asks for.
func PlainFormat(flag, path string) (string, error) {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	switch {
	case path == "-":
		return "", fmt.Errorf("--%s -: want a file; standard output has the result", flag)
	case !slices.Contains(columnar.PlainFormats(), format) && links.Direct(path):
		return columnar.PlainFormats()[0], nil
	case !slices.Contains(columnar.PlainFormats(), format):
		return "", fmt.Errorf("--%s %s: want a name that ends in .csv or .parquet", flag, path)
	}
	return format, nil
}
