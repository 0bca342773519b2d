package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/workload"
)

// The exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitThreshold   = 3 // a threshold that the user named was not met
	exitInterrupted = 130
	exitReaderGone  = 141 // of standard output; as a shell says of a program that SIGPIPE ended
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

// optionFault makes a usage error of a library's error about its options: the
// flag has the option's name.
func optionFault(cmd *cobra.Command, err error) error {
	var option *workload.OptionError
	if errors.As(err, &option) {
		return usagef(cmd, "--%s %s: want %s", flagName(option.Option), option.Saw, option.Want)
	}
	return usagef(cmd, "%s", strings.TrimPrefix(err.Error(), "job runtime: "))
}

// optionFaultOr is optionFault where the error is of an option, else the error.
func optionFaultOr(cmd *cobra.Command, err error) error {
	if option := new(workload.OptionError); errors.As(err, &option) {
		return optionFault(cmd, err)
	}
	return err
}

// thresholdError says that a result was given, and that it does not meet what
// the user asked of it.
type thresholdError struct{ what string }

func (e *thresholdError) Error() string { return e.what }

// finish prints the error, if there is one, and returns the exit code.
func (a *app) finish(ctx context.Context, err error) int {
	a.progress.End()
	var usage *usageError
	var threshold *thresholdError
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil:
		fmt.Fprintln(a.Err, "loadstone: interrupted")
		return exitInterrupted
	case errors.Is(err, errReaderGone):
		return exitReaderGone // whoever read it, 'head' say, had enough
	case errors.As(err, &usage):
		io.WriteString(a.Err, message("loadstone: %v\nSee '%s --help'.\n", err, usage.cmd.CommandPath()))
		return exitUsage
	case errors.As(err, &threshold):
		io.WriteString(a.Err, message("loadstone: %v\n", err))
		return exitThreshold
	}
	io.WriteString(a.Err, message("loadstone: %v\n", err))
	return exitFailed
}

// flagFault is an error of a flag's value in the form of all others, and
// without Go's words for numbers.
func flagFault(cmd *cobra.Command, err error) error {
	var value interface {
		error
		GetValue() string
		Unwrap() error
	}
	var number *strconv.NumError
	name := flagInError.FindStringSubmatch(err.Error())
	if !errors.As(err, &value) || name == nil {
		return err
	}
	if !errors.As(err, &number) {
		return fmt.Errorf("--%s: %w", name[1], value.Unwrap())
	}
	want := "a whole number"
	switch kind := cmd.Flag(name[1]).Value.Type(); {
	case kind == "bool":
		want = "true or false"
	case kind == "float64":
		want = "a number"
	case kind[0] == 'u':
		want = "a whole number of 0 or more"
	}
	if errors.Is(number, strconv.ErrRange) {
		want += " that is not so large"
	}
	return fmt.Errorf("--%s: saw %q, want %s", name[1], value.GetValue(), want)
}

var flagInError = regexp.MustCompile(`for "(?:-., )?--([^"]+)" flag`)

// fileFault is an error of the system about a file, without Go's name for what
// was tried.
func fileFault(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: cannot be written: %w", path, err)
}
