package model

import (
	"fmt"
	"strings"
)

// FieldError is the error for one field of a model or a model file.
type FieldError struct {
	Path string // such as "classes[1].run_times.p_slope"; empty for the whole
	Saw  string // the value, or the problem
	Want string // what is allowed
	Err  error  // the cause, if there is one
}

func (e *FieldError) Error() string {
	parts := []string{"model"}
	if e.Path != "" {
		parts = append(parts, e.Path)
	}
	text := e.Saw
	if e.Want != "" {
		text += ", want " + e.Want
	}
	if text != "" {
		parts = append(parts, text)
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(parts, ": ")
}

func (e *FieldError) Unwrap() error { return e.Err }

// ConvergenceError is the error if the iterative search for a parameter did not
// converge.
type ConvergenceError struct {
	Iterations int
	Residual   float64
}

func (e *ConvergenceError) Error() string {
	return fmt.Sprintf("model: the shapes of method %q are not found: after %d iterations ln of a half hour's jump is %.3g off; want a milder cycle, or another method",
		ExpectedSlotsMethod, e.Iterations, e.Residual)
}
