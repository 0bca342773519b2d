package mapping

import (
	"io"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// What the tests outside the package see of it.

// OpenCSV opens a log in CSV.
func OpenCSV(name string, r io.Reader, o workload.Options) (*workload.Log, error) {
	return openCSV(name, r, o, 0)
}

// OpenChunks does so in pieces of about size bytes.
func OpenChunks(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	return openCSV(name, r, o, size)
}

// Aliases are the columns of the job table that are known by other names, each with these.
func Aliases() [][]string {
	return slices.DeleteFunc(aliases(), func(names []string) bool { return len(names) == 1 })
}
