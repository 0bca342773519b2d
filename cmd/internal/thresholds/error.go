package thresholds

import "strings"

// Error is the error of a command that has printed its result, which does not meet
// the user's thresholds.
type Error struct {
	Faults []string // the thresholds not met, each with the input's name
}

func (e *Error) Error() string { return strings.Join(e.Faults, "; ") }
