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

// UsageError is a fault of the command line, not of the data.
type UsageError struct {
	Cmd *cobra.Command // whose help helps; nil for the one that runs
	Err error
}

func (e *UsageError) Error() string { return e.Err.Error() }

func (e *UsageError) Unwrap() error { return e.Err }

// See returns the command line whose output helps, such as "loadstone fit --help".
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

// Usage makes a usage error of an error; nil of none.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return &UsageError{Err: err}
}

// Usagef makes a usage error of an option's value.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// sawWant is what an option's error says behind its name.
func sawWant(e *workload.OptionError) string {
	return optionsAsFlags(e.Saw) + ": want " + optionsAsFlags(e.Want)
}

// OptionFaultOr makes a usage error of a library's error about its options, with flags in
// the place of options; other errors stay.
func OptionFaultOr(err error) error {
	option := new(workload.OptionError)
	if !errors.As(err, &option) || errors.As(err, new(*UsageError)) {
		return err
	}
	// What stands before it names the input.
	return Usagef("%s", strings.Replace(err.Error(), option.Error(), "--"+OfOption(option.Option)+" "+sawWant(option), 1))
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

// ParseFault is an error of the parser of flags in the form of all others, without
// Go's words for numbers and with names that are near to one that does not exist.
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
		// What stands before it names a file.
		return fmt.Errorf("--%s %s", flag.Name, strings.Replace(invalid.Unwrap().Error(), option.Error(), sawWant(option), 1))
	}
	return fmt.Errorf("--%s: %w", flag.Name, invalid.Unwrap())
}

// elsewhere are the flags, with their values, that have another name in other programs.
var elsewhere = map[string]string{"tz": "timezone", "json": "format json", "csv": "format csv", "columns": "map"}

// nearFlags are the command's flags with names like one that it does not have.
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
