package mapping

import (
	"io"

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
