package columnar

// What the tests outside the package see of it.

const (
	ArrowHead = arrowHead
	GroupRows = groupRows
	PlainRows = plainRows
)

var (
	FlatRoot         = flatRoot
	Lz4Block         = lz4Block
	Lz4Page          = lz4Page
	NewParquetWriter = newParquetWriter
	OpenArrowFile    = openArrowFile
	OpenArrowStream  = openArrowStream
	OpenParquet      = openParquet
)
