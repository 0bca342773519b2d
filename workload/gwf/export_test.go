package gwf

// What the tests outside the package see of it.

const (
	GwfFields   = gwfFields
	GwfOrigSite = gwfOrigSite
	GwfSiteRule = gwfSiteRule
	GwfUser     = gwfUser
)

var (
	Open       = open
	OpenChunks = openChunks
	ParseChunk = parseChunk
	Sniff      = sniff
)
