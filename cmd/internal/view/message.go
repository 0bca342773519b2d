package view

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Message formats a text for people. Strings, warnings and errors in args are made
// printable on one line, so that text from a file or the command line cannot control the
// terminal or begin a new line.
func Message(format string, args ...any) string {
	shown := slices.Clone(args)
	for i, x := range args {
		switch x := x.(type) {
		case string:
			shown[i] = printable.Text(x)
		case workload.Warning:
			shown[i] = printable.Text(x.String())
		case error:
			shown[i] = printable.Text(x.Error())
		}
	}
	return printable.Lines(fmt.Sprintf(format, shown...))
}
