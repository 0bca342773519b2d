package swf

// Exports for the tests outside the package.

var (
	Open       = open
	OpenChunks = openChunks
)
