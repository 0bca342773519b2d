package present

import (
	"path/filepath"
	"strings"
)

// ShortName returns a name without the endings of files of jobs.
func ShortName(name string) string {
	for range 2 {
		switch ext := strings.ToLower(filepath.Ext(name)); ext {
		case ".gz", ".zst", ".xz", ".bz2", ".swf", ".gwf", ".csv", ".parquet", ".arrow", ".arrows", ".json":
			name = name[:len(name)-len(ext)]
		}
	}
	return name
}

// ShortVariable returns a variable's name without its unit, in words.
func ShortVariable(name string) string {
	for _, unit := range []string{"_processor_s", "_processors", "_s"} {
		if short, ok := strings.CutSuffix(name, unit); ok {
			name = short
			break
		}
	}
	return strings.ReplaceAll(name, "_", " ")
}
