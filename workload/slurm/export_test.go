package slurm

import (
	"bufio"
	"io"

	"github.com/loadstone-hpc/loadstone/workload"
)

// What the tests outside the package see of it.

const (
	ReasonHeld    = reasonHeld
	ReasonQueued  = reasonQueued
	ReasonUnknown = reasonUnknown
)

var (
	IsSqueue        = isSqueue
	OpenSacct       = openSacct
	OpenSacctChunks = openSacctChunks
	SqueueReasonOf  = squeueReasonOf
)

type (
	SqueueReasonKind = squeueReasonKind
)

func OpenSacctJSON(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	return openSacctJSON(name, bufio.NewReader(r), o, size)
}
