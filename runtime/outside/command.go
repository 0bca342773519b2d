package outside

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Command describes an external program that predicts.
type Command struct {
	// Label names the predictor in results and messages, without commas.
	Label string `json:"predictor"`
	// Line is the command line, run by /bin/sh in the current directory.
	Line string `json:"command"`
	// Limit is the time limit for each answer, and for the exit after the
	// last line; 0 means DefaultLimit.
	Limit time.Duration `json:"-"`
	// Said, if not nil, is called with each line of the program's standard
	// error, by one goroutine.
	Said func(line string) `json:"-"`
}

// DefaultLimit is the default of Command.Limit.
const DefaultLimit = 60 * time.Second

// named matches a command line with a label: "mine: Rscript mine.R".
var named = regexp.MustCompile(`(?s)^([A-Za-z0-9_.-]+):\s+(.*)$`)

// ParseCommand parses a text of the form "LABEL: COMMAND LINE" or "COMMAND
// LINE". Without a label, the label is the file name of the first word.
func ParseCommand(text string) Command {
	line := strings.TrimSpace(text)
	if m := named.FindStringSubmatch(line); m != nil {
		return Command{Label: m[1], Line: m[2]}
	}
	label, _, _ := strings.Cut(line, " ")
	return Command{Label: filepath.Base(label), Line: line}
}

// Validate returns a *workload.OptionError if the command cannot be run.
func (c Command) Validate() error {
	switch {
	case strings.TrimSpace(c.Line) == "" || strings.ContainsRune(c.Line, 0):
		return workload.OptionFault("exec", strconv.Quote(c.Line), "a command line, such as ./my.py")
	case c.Label == "" || strings.Contains(c.Label, ","):
		return workload.OptionFault("exec", strconv.Quote(c.Line), "a label without commas in front, such as 'mine: ./my.py'")
	case c.Limit < 0:
		return workload.OptionFault("exec-timeout", c.Limit.String(), "more than 0")
	}
	return nil
}
