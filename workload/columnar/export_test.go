package columnar

// What the tests outside the package see of it.

const (
	ArrowHead = arrowHead
	GroupRows = groupRows
)

var (
	FlatRoot         = flatRoot
	NewParquetWriter = newParquetWriter
	OpenArrowFile    = openArrowFile
	OpenArrowStream  = openArrowStream
)
