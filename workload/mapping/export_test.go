package mapping

import (
	"io"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Exports for the tests outside the package.

// OpenCSV opens a log in CSV.
func OpenCSV(name string, r io.Reader, o workload.Options) (*workload.Log, error) {
	return openCSV(name, r, o, 0)
}

// OpenChunks opens a log in CSV and reads it in chunks of about size bytes.
func OpenChunks(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	return openCSV(name, r, o, size)
}

// Aliases returns the columns of the job table that have other names, each followed by these.
func Aliases() [][]string {
	return slices.DeleteFunc(aliases(), func(names []string) bool { return len(names) == 1 })
}
