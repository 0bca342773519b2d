package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitThreshold   = 3 // a threshold that the user named was not met
	exitInterrupted = 130
)

// usageError is a fault of the command line, not of the data.
type usageError struct {
	cmd *cobra.Command
	err error
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef makes a usage error of an option's value.
func usagef(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{cmd, fmt.Errorf(format, args...)}
}

// thresholdError says that a result was given, and that it does not meet what
// the user asked of it.
type thresholdError struct{ what string }

func (e *thresholdError) Error() string { return e.what }

// finish prints the error, if there is one, and returns the exit code.
func (a *app) finish(ctx context.Context, err error) int {
	var usage *usageError
	var threshold *thresholdError
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil:
		fmt.Fprintln(a.Err, "loadstone: interrupted")
		return exitInterrupted
	case errors.As(err, &usage):
		fmt.Fprintf(a.Err, "loadstone: %v\nSee '%s --help'.\n", err, usage.cmd.CommandPath())
		return exitUsage
	case errors.As(err, &threshold):
		fmt.Fprintf(a.Err, "loadstone: %v\n", err)
		return exitThreshold
	}
	fmt.Fprintf(a.Err, "loadstone: %v\n", err)
	return exitFailed
}
