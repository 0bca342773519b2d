package slurm

// What the tests outside the package see of it.

const (
	ReasonHeld    = reasonHeld
	ReasonQueued  = reasonQueued
	ReasonUnknown = reasonUnknown
)

var (
	IsSqueue        = isSqueue
	OpenJobcomp     = openJobcomp
	OpenSacct       = openSacct
	OpenSacctChunks = openSacctChunks
	OpenSacctJSON   = openSacctJSON
	SqueueReasonOf  = squeueReasonOf
)

type (
	SqueueReasonKind = squeueReasonKind
)
