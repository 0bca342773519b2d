package columnar

// Exports for the tests outside the package.

const (
	ArrowHead = arrowHead
	GroupRows = groupRows
)

var (
	FlatRoot   = flatRoot
	FlatChild  = flatChild
	FlatVector = flatVector
)
