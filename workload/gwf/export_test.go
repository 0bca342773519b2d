package gwf

// What the tests outside the package see of it.

const (
	GwfFields = gwfFields
	GwfUser   = gwfUser
)

var (
	Open       = open
	OpenChunks = openChunks
	ParseChunk = parseChunk
	Sniff      = sniff
)
