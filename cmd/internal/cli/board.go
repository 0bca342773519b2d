package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/evaluate/board"
	"github.com/loadstone-hpc/loadstone/internal/version"
)

// boardLogs checks the arguments of a command that scores predictors on one log, or
// compares them over several.
func boardLogs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) < 2:
		return new(oneLog).args(args)
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
	return nil
}

// boardOf is the log of such a command or, of a scoreboard, all of them. What only one
// log has is refused with several, and a page with one; also are flags of that kind.
func boardOf(cmd *cobra.Command, args []string, o *resultOptions, also ...string) (one string, all []string, err error) {
	if len(args) == 1 {
		if strings.EqualFold(filepath.Ext(o.Output), ".html") {
			return "", nil, flags.Usagef("-o %s: an HTML page needs several logs; 'loadstone report' writes one for a single log", o.Output)
		}
		return args[0], nil, nil
	}
	for _, name := range append([]string{"predictions", "plots", "by", "require", "baseline"}, also...) {
		if f := cmd.Flag(name); f != nil && f.Changed {
			return "", nil, flags.Usagef("--%s: it is for one log", name)
		}
	}
	return "", args, nil
}

// runTimesBoard compares predictors of run time over several logs.
func (a *app) runTimesBoard(ctx context.Context, o runtimeOptions) error {
	if err := a.notOver(o.logs, o.Result.Output); err != nil {
		return err
	}
	b, err := evaluate.RunTimesBoard(ctx, o.logs, o.RunTimesOptions, func(ctx context.Context, name string, of evaluate.RunTimesOptions) (*evaluate.RunTimesResult, error) {
		one := o
		one.input, one.RunTimesOptions = name, of
		return a.scoreRunTimes(ctx, one)
	})
	if err != nil {
		return err
	}
	return a.putBoard(o.Result, b)
}

// waitsBoard compares predictors of wait over several logs.
func (a *app) waitsBoard(ctx context.Context, o predictOptions) error {
	if err := a.notOver(o.logs, o.Result.Output); err != nil {
		return err
	}
	w := o.WaitsOptions
	if !a.cmd.Flags().Changed("predictors") && o.Sample == 0 {
		w.Predictors = nil // the board's own
	}
	b, err := evaluate.WaitsBoard(ctx, o.logs, w, func(ctx context.Context, name string, w evaluate.WaitsOptions) (*evaluate.WaitsResult, error) {
		return a.scoreWaits(ctx, name, w, evaluate.Waits)
	})
	if err != nil {
		return err
	}
	return a.putBoard(o.Result, b)
}

// putBoard writes a scoreboard, with the options that made it.
func (a *app) putBoard(o resultOptions, b *board.Board) error {
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
	a.tell("", view.Warnings(b.Warnings))
	return a.put(o, tables.Board(b))
}
