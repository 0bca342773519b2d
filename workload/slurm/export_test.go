package slurm

import (
	"bufio"
	"io"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// What the tests outside the package see of it.

const (
	ReasonHeld    = reasonHeld
	ReasonQueued  = reasonQueued
	ReasonUnknown = reasonUnknown
)

var (
	IsSqueue        = isSqueue
	OpenSacctChunks = openSacct
	SqueueReasonOf  = reasonOf
)

type (
	SqueueReasonKind = reasonKind
)

func OpenSacct(name string, r io.Reader, o workload.Options) (*workload.Log, error) {
	return openSacct(name, r, o, parse.ChunkSize)
}

func OpenSacctJSON(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	return openSacctJSON(name, bufio.NewReader(r), o, size)
}
