package workload

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// InputError is a fault in an input that stops its reader. It prints as
// "file:line: field: saw ..., want ...", so that editors can jump to it.
type InputError struct {
	File  string // the path as given, or "-" for standard input
	Line  int64  // from 1; 0 where the format has no lines
	Field string // name of the field or part; empty for the input as a whole
	Saw   string // the text seen, shortened
	Want  string // what was expected
	Err   error  // the cause, if there is one
}

func (e *InputError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	b.WriteString(": ")
	if e.Field != "" {
		b.WriteString(e.Field + ": ")
	}
	switch {
	case e.Saw != "" && e.Want != "":
		fmt.Fprintf(&b, "saw %s, want %s", e.Saw, e.Want)
	case e.Saw != "":
		b.WriteString(e.Saw)
	case e.Want != "":
		b.WriteString("want " + e.Want)
	}
	// What was seen says more than "unexpected EOF".
	if e.Err != nil && !(e.Saw != "" && e.Err == io.ErrUnexpectedEOF) {
		if e.Saw != "" || e.Want != "" {
			b.WriteString(": ")
		}
		b.WriteString(e.Err.Error())
	}
	return b.String()
}

func (e *InputError) Unwrap() error { return e.Err }

// Shorten quotes a piece of input for a message: at most 40 bytes of it, with unprintable
// characters escaped.
func Shorten(b []byte) string {
	const most = 40
	if len(b) <= most {
		return strconv.Quote(string(b))
	}
	return fmt.Sprintf("%q... (%d bytes)", b[:most], len(b))
}

// OptionError reports an invalid option of a call. In Saw and Want, the names of other options
// are in backquotes; a command replaces them with its flags.
type OptionError struct {
	Option string // name in lower case with hyphens, "against"; that of the command's flag if the field's differs
	Saw    string // the value, and why it cannot be used
	Want   string // what was expected, or what would work
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("%s: %s, want %s", e.Option, e.Saw, e.Want)
}

// OptionFault returns an *OptionError: option is the option's name, saw its value, and
// want what was expected, a format for args as in fmt.Sprintf.
//
//	return workload.OptionFault("replicates", o.Replicates, "%d or more", 39)
func OptionFault(option string, saw any, want string, args ...any) error {
	return &OptionError{option, fmt.Sprint(saw), fmt.Sprintf(want, args...)}
}

// OptionNamed returns err under the caller's name for the option: an *OptionError of
// "classes" becomes one of option, such as "groups". Other errors are returned
// unchanged.
func OptionNamed(option string, err error) error {
	var fault *OptionError
	if errors.As(err, &fault) && fault.Option == "classes" {
		return &OptionError{option, fault.Saw, fault.Want}
	}
	return err
}

// About returns err with the name of an input in front, for messages: "kth.swf: no jobs". It
// returns err unchanged if it is nil, context.Canceled, or already names its input: an
// *InputError, or an error that begins with the name.
func About(input string, err error) error {
	var fault *InputError
	if err == nil || errors.As(err, &fault) || errors.Is(err, context.Canceled) || strings.HasPrefix(err.Error(), input) {
		return err
	}
	return fmt.Errorf("%s: %w", input, err)
}
