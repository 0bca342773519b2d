package flags

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// UsageError is an error in the command line, not in the data.
type UsageError struct {
	Cmd *cobra.Command // command whose help to refer to; nil for the running command
	Err error
}

func (e *UsageError) Error() string { return e.Err.Error() }

func (e *UsageError) Unwrap() error { return e.Err }

// See returns the command line that prints the relevant help, such as "loadstone fit --help".
func (e *UsageError) See() string {
	topic := ""
	if e.Cmd.IsAdditionalHelpTopicCommand() {
		topic = e.Cmd.Name()
	} else if errors.As(e.Err, new(*mappingFault)) {
		topic = SourcesTopic
	}
	if topic != "" {
		return e.Cmd.Root().Name() + " help " + topic
	}
	return e.Cmd.CommandPath() + " --help"
}

// Usage returns err as a *UsageError, nil for nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return &UsageError{Err: err}
}

// Usagef returns a *UsageError with a formatted message.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// sawWant returns the text of an option's error after the option's name.
func sawWant(e *workload.OptionError) string {
	return optionsAsFlags(e.Saw) + ": want " + optionsAsFlags(e.Want)
}

// OptionFaultOr returns a *workload.OptionError as a *UsageError that names flags instead of
// options. Other errors are returned unchanged.
func OptionFaultOr(err error) error {
	option := new(workload.OptionError)
	if !errors.As(err, &option) || errors.As(err, new(*UsageError)) {
		return err
	}
	// Text before the option's error names the input, and is kept.
	return Usagef("%s", strings.Replace(err.Error(), option.Error(), "--"+OfOption(option.Option)+" "+sawWant(option), 1))
}

// OfOption returns the name of the flag that sets an option of the library.
func OfOption(option string) string {
	if option == "processors" {
		return "procs"
	}
	return option
}

// optionsAsFlags replaces the options in backquotes in a text by flags.
func optionsAsFlags(text string) string {
	return optionInText.ReplaceAllStringFunc(text, func(option string) string {
		return "--" + OfOption(strings.Trim(option, "`"))
	})
}

var optionInText = regexp.MustCompile("`[a-z-]+`")

// ParseFault rewrites an error of the parser of flags in the style of other errors. For a flag
// that does not exist it suggests similar names.
func ParseFault(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		if near := nearFlags(cmd, unknown.GetSpecifiedName()); near != "" && unknown.GetSpecifiedShortnames() == "" {
			return fmt.Errorf("%w; did you mean %s?", err, near)
		}
		return err
	case errors.As(err, &missing):
		want := "one"
		if option, ok := missing.GetFlag().Value.(*opt.Field); ok {
			want = option.Wanted()
		}
		return fmt.Errorf("--%s: the value is missing: want %s", missing.GetFlag().Name, want)
	case !errors.As(err, &invalid):
		return err
	}
	flag := invalid.GetFlag()
	var option *workload.OptionError
	if errors.As(err, &option) {
		// Text before the option's error names a file, and is kept.
		return fmt.Errorf("--%s %s", flag.Name, strings.Replace(invalid.Unwrap().Error(), option.Error(), sawWant(option), 1))
	}
	return fmt.Errorf("--%s: %w", flag.Name, invalid.Unwrap())
}

// elsewhere maps names of flags in other programs to the flags, with values, that have the same
// effect here.
var elsewhere = map[string]string{"tz": "timezone", "json": "format json", "csv": "format csv", "columns": "map"}

// nearFlags returns the command's flags with names similar to one that it does not have, joined by
// "or".
func nearFlags(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := words.Near(name, names)
	if flag, _, _ := strings.Cut(elsewhere[name], " "); slices.Contains(names, flag) {
		near = []string{elsewhere[name]}
	}
	for i := range near {
		near[i] = "--" + near[i]
	}
	return strings.Join(near, " or ")
}
