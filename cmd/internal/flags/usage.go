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

// OptionFault makes a usage error of a library's error about its options, with
// flags in the place of options.
func OptionFault(cmd *cobra.Command, err error) error {
	text := strings.TrimPrefix(err.Error(), "job runtime: ")
	var option *workload.OptionError
	if errors.As(err, &option) {
		named := fmt.Sprintf("--%s %s: want %s", OfOption(option.Option), optionsAsFlags(option.Saw), optionsAsFlags(option.Want))
		text = strings.Replace(text, option.Error(), named, 1) // what stands before it names the input
	}
	return Usagef(cmd, "%s", text)
}

// OptionFaultOr is OptionFault where the error is of an option and not yet a usage
// error, else the error.
func OptionFaultOr(cmd *cobra.Command, err error) error {
	if option, usage := new(workload.OptionError), new(UsageError); errors.As(err, &option) && !errors.As(err, &usage) {
		return OptionFault(cmd, err)
	}
	return err
}

// OfOption returns the name of the flag that sets an option of the library.
func OfOption(option string) string {
	if option == "processors" {
		return "procs"
	}
	return option
}

// optionsAsFlags writes the options that a text has in backquotes as flags.
func optionsAsFlags(text string) string {
	return optionInText.ReplaceAllStringFunc(text, func(option string) string {
		return "--" + OfOption(strings.Trim(option, "`"))
	})
}

var optionInText = regexp.MustCompile("`[a-z-]+`")

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
