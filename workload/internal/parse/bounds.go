package parse

const (
	// MaxText bounds one text: it is a name, not a document.
	MaxText = 64 << 10
	// ManyYears tells submissions counted from 1970 from those counted from
	// the log's start where a format has both: no log is ten years long before
	// its first job.
	ManyYears = 10 * 365 * 86400 // s
	// MaxUnix is the end of the year 9999.
	MaxUnix = 253402300799 // s
)
