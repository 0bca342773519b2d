package cli

// thresholdError says that a result was given, and that it does not meet what
// the user asked of it.
type thresholdError struct{ what string }

func (e *thresholdError) Error() string { return e.what }
