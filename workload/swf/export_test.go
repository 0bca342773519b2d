package swf

// What the tests outside the package see of it.

var (
	Open       = open
	OpenChunks = openChunks
)
