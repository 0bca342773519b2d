package outside

import (
	"bytes"
	"fmt"
)

// Fault is the error for a program that breaks the protocol or fails.
type Fault struct {
	Label string // of its command
	Err   error  // the line of its output, what was seen there and what was expected
}

func (f *Fault) Error() string { return fmt.Sprintf("job runtime: %s: %v", f.Label, f.Err) }

func (f *Fault) Unwrap() error { return f.Err }

// shown quotes the beginning of what a program wrote.
func shown(text []byte) string {
	const most = 80
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line = bytes.TrimRight(line, "\r")
	if len(line) > most {
		return fmt.Sprintf("%q...", line[:most])
	}
	return fmt.Sprintf("%q", line)
}
