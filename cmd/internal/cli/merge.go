package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/internal/part"
	"github.com/loadstone-hpc/loadstone/internal/printable"
)

// mergeFlags are the flags that apply to the whole result: merge has them in place of the
// command that the parts are of.
var mergeFlags = []string{"format", "output", "plots", "predictions", "require", "baseline", "max-drop", "allow-missing"}

type mergeOptions struct {
	files  []string
	result []string // mergeFlags as they were given
	output string
}

func newMergeCmd(a *app, run func(context.Context, *app, mergeOptions) error) *cobra.Command {
	var o mergeOptions
	var format string
	cmd := &cobra.Command{
		Use:   "merge PART...",
		Short: "Combine the parts of a divided computation",
		Long: `Reads the part files that a command with --part wrote, in any order, and gives
exactly what one run of that command gives, byte for byte. Parts of 'runtime'
and 'predict' need the log too.

Every part from 1 to n must be there once, from the same command, options, log
and version of the program. A part that is missing, duplicate, damaged or from
another run is an error that names it. The exit code is 3 if --require or
--baseline is not met; the result is written all the same.`,
		Example: `  loadstone describe lcg.parquet --part 1/16 -o lcg.1.part
  loadstone merge lcg.*.part
  loadstone merge lcg.*.part -o lcg.json
  loadstone merge scores.*.part --require '` + requireForm + `'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("the parts are missing: want the files that --part wrote")
			}
			if slices.Contains(args, "-") {
				return fmt.Errorf("saw -, want the files that --part wrote: each is read twice, which standard input cannot be")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if name := givenReading(cmd); name != "" {
				return flags.Usagef(cmd, "--%s: give it to the parts, which read the log", name)
			}
			o.files, o.result = args, nil
			cmd.Flags().Visit(func(f *pflag.Flag) {
				if !slices.Contains(mergeFlags, f.Name) {
					return
				}
				values := []string{f.Value.String()}
				if all, ok := f.Value.(pflag.SliceValue); ok {
					values = all.GetSlice()
				}
				for _, value := range values {
					o.result = append(o.result, "--"+f.Name+"="+value)
				}
			})
			return run(cmd.Context(), a, o)
		},
	}
	flags.Enum(cmd, &format, "format", "format on standard output (default table)", []string{"table", "json", "csv"})
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "write the result to this `file`, as the command does")
	f.String("plots", "", "draw the result into this `folder`, as SVG")
	f.String("predictions", "", "write each prediction to this `file` (runtime)")
	f.StringArray("require", nil, "exit with code 3 unless a score meets this `condition`, as the command does")
	f.String("baseline", "", "exit with code 3 if a score is worse than in this result (`scores.json`) of an earlier run, or is missing")
	f.Float64("max-drop", 0, "with --baseline, how much worse a score may be, such as 0.01")
	f.Bool("allow-missing", false, thresholds.AllowMissingHelp)
	flags.Common(cmd, "format", "output", "plots", "predictions", "require", "baseline")
	return cmd
}

// runMerge runs the command that the parts are of, with the parts in place of the log.
func runMerge(ctx context.Context, a *app, o mergeOptions) error {
	if err := a.notOver(o.files, o.output); err != nil {
		return err
	}
	files, task, err := part.Paths(o.files)
	if err != nil {
		return err
	}
	of, _, err := a.cmd.Root().Find([]string{task.Command})
	if err != nil || of.Flag(partFlag) == nil {
		return fmt.Errorf("%s: damaged: '%s' has no parts", files[0], task.Command)
	}
	for _, given := range task.Flags { // any other was not written by --part
		name := flagName(given)
		if !strings.HasPrefix(given, "--"+name+"=") || name == partFlag || strings.HasPrefix(name, "help") || of.Flag(name) == nil {
			return fmt.Errorf("%s: damaged: a part with %s", files[0], printable.Text(given))
		}
	}
	for _, name := range mergeFlags {
		if a.cmd.Flags().Changed(name) && of.Flag(name) == nil {
			return flags.Usagef(a.cmd, "--%s: the parts are of '%s', which does not have it", name, task.Command)
		}
	}
	a.parts = parts{files: files, task: task}
	root := a.root()
	root.SetArgs(slices.Concat([]string{task.Command}, task.Flags, o.result, []string{"--", task.Log.Name}))
	var result error
	if damage := sound(func() error { result = root.ExecuteContext(ctx); return nil }); damage != nil {
		if n := len(files); n > 1 {
			return fmt.Errorf("%s or another of the %d parts: %w", files[0], n, damage)
		}
		return about(files[0], damage)
	}
	return result
}

// checkMerge checks what a command is to do with the merged parts.
func (a *app) checkMerge(cmd *cobra.Command, d division) error {
	for _, given := range a.parts.task.Flags {
		if name := flagName(given); name != d.gathered && slices.Contains(mergeFlags, name) {
			return fmt.Errorf("%s: damaged: a part with %s", a.parts.files[0], printable.Text(given))
		}
	}
	log := a.parts.task.Log.Name
	if _, err := os.Stat(log); d.predictors && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: no such file: merge reads the log of parts of '%s' again: run it in the folder where they were computed", log, cmd.Name())
	}
	f := cmd.Flag(d.gathered)
	if f == nil || !f.Changed || slices.ContainsFunc(a.parts.task.Flags, func(given string) bool { return flagName(given) == f.Name }) {
		return nil
	}
	return flags.Usagef(cmd, "--%s: give it to the parts too, which gather what it shows", f.Name)
}

// flagName is the name of a flag that part.Task has.
func flagName(given string) string {
	name, _, _ := strings.Cut(given, "=")
	return strings.TrimPrefix(name, "--")
}
