package traces

// What the tests outside the package see of it.

var (
	CompareNumbered = compareNumbered
)
