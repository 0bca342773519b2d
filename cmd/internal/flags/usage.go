package flags

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/workload"
)

// UsageError is a fault of the command line, not of the data.
type UsageError struct {
	Cmd *cobra.Command
	err error
}

func (e *UsageError) Error() string { return e.err.Error() }

func (e *UsageError) Unwrap() error { return e.err }

// Usage makes a usage error of an error; nil of none.
func Usage(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	return &UsageError{cmd, err}
}

// Usagef makes a usage error of an option's value.
func Usagef(cmd *cobra.Command, format string, args ...any) error {
	return &UsageError{cmd, fmt.Errorf(format, args...)}
}

// OptionFault makes a usage error of a library's error about its options: the
// flag has the option's name.
func OptionFault(cmd *cobra.Command, err error) error {
	var option *workload.OptionError
	if errors.As(err, &option) {
		return Usagef(cmd, "--%s %s: want %s", flagName(option.Option), option.Saw, option.Want)
	}
	return Usagef(cmd, "%s", strings.TrimPrefix(err.Error(), "job runtime: "))
}

// OptionFaultOr is OptionFault where the error is of an option, else the error.
func OptionFaultOr(cmd *cobra.Command, err error) error {
	if option := new(workload.OptionError); errors.As(err, &option) {
		return OptionFault(cmd, err)
	}
	return err
}

// flagName is the flag that sets an option.
func flagName(option string) string {
	if option == "processors" {
		return "procs"
	}
	return option
}

// ValueFault is an error of a flag's value in the form of all others, and
// without Go's words for numbers.
func ValueFault(cmd *cobra.Command, err error) error {
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
