package thresholds

// Error says that a result was given, and that it does not meet what
// the user asked of it.
type Error struct{ what string }

func (e *Error) Error() string { return e.what }
