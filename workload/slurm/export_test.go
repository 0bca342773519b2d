package slurm

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
