package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/output"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
)

// The exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitThreshold   = 3 // a threshold set by the user was not met
	exitInterrupted = 130
	exitReaderGone  = 141 // standard output has no reader; a shell's status after SIGPIPE
)

// finish prints the error, if there is one, and returns the exit code.
func (a *app) finish(ctx context.Context, err error) int {
	a.progress.End()
	var wrong *flags.UsageError
	var threshold *thresholds.Error
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil && !a.lasting.Load():
		fmt.Fprintln(a.Err, "loadstone: interrupted")
		return exitInterrupted
	case errors.Is(err, output.ErrReaderGone):
		return exitReaderGone // the reader, such as head, has ended
	case errors.As(err, &wrong):
		io.WriteString(a.Err, view.Message("loadstone: %v\nSee '%s'.\n", err, wrong.See()))
		return exitUsage
	case errors.As(err, &threshold):
		for _, fault := range threshold.Faults {
			io.WriteString(a.Err, view.Message("loadstone: %s\n", fault))
		}
		return exitThreshold
	}
	io.WriteString(a.Err, view.Message("loadstone: %v\n", err))
	return exitFailed
}
