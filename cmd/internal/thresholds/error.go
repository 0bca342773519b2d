package thresholds

import "strings"

// Error says that a result was given, and that it does not meet what
// the user asked of it.
type Error struct {
	Faults []string // what is not met, each with the input's name
}

func (e *Error) Error() string { return strings.Join(e.Faults, "; ") }
