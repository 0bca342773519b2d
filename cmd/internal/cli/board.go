package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate/board"
	"github.com/loadstone-hpc/loadstone/internal/version"
)

// logs is the part of the options of a command that scores predictors on one log or compares
// them over several.
type logs struct {
	oneLog
	all []string // two or more logs for a scoreboard; nil for one log
}

func (l *logs) args(args []string) error {
	switch {
	case len(args) < 2:
		return l.oneLog.args(args)
	case slices.Contains(args, ""):
		return fmt.Errorf("a log's name is empty: want files")
	case slices.Contains(args, "-"):
		return fmt.Errorf("want one log on standard input, or several files, saw %q", args)
	}
	for i, name := range args {
		if slices.Contains(args[:i], name) {
			return fmt.Errorf("want each log once, saw %q twice", name)
		}
	}
	l.all = args
	return nil
}

// checkBoard returns an error for several logs with a flag that is for one log, and for one log
// with a page as output. also is a further flag that is for one log.
func (l *logs) checkBoard(a *app, o resultOptions, also string) error {
	if len(l.all) == 0 {
		if strings.EqualFold(filepath.Ext(o.Output), ".html") {
			return flags.Usagef("-o %s: an HTML page needs several logs; 'loadstone report' writes one for a single log", o.Output)
		}
		return nil
	}
	for _, name := range []string{"predictions", "plots", "by", "require", "baseline", also} {
		if a.given(name) {
			return flags.Usagef("--%s: it is for one log", name)
		}
	}
	return nil
}

// ofBoard returns the findings of a scoreboard, in which it records the options given.
func (a *app) ofBoard(b *board.Board, err error) (*findings, error) {
	if err != nil {
		return nil, err
	}
	b.Version = version.Number
	a.cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains([]string{"output", "format", "quiet"}, f.Name) {
			between := " "
			if f.NoOptDefVal != "" {
				between = "="
			}
			b.Options = append(b.Options, "--"+f.Name+between+strings.Trim(f.Value.String(), "[]"))
		}
	})
	return &findings{remarks: view.Warnings(b.Warnings), result: tables.Board(b)}, nil
}
