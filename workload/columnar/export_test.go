package columnar

// What the tests outside the package see of it.

const (
	ArrowHead = arrowHead
	GroupRows = groupRows
)

var (
	FlatRoot   = flatRoot
	FlatChild  = flatChild
	FlatVector = flatVector
)
