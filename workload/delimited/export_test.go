package delimited

// What the tests outside the package see of it.

const (
	MaxCSVColumns = maxCSVColumns
)

var (
	Open       = open
	OpenChunks = openChunks
	Sniff      = sniff
)
