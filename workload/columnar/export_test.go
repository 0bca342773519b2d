package columnar

// What the tests outside the package see of it.

const (
	ArrowHead = arrowHead
	GroupRows = groupRows
	PlainRows = plainRows
)

var (
	FlatRoot         = flatRoot
	NewParquetWriter = newParquetWriter
	OpenArrowFile    = openArrowFile
	OpenArrowStream  = openArrowStream
)
