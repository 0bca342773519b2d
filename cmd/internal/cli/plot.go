package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/links"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

type plotOptions struct {
	kind   kindOfPicture
	logs   []string
	more   []string // flags of the command that draws
	output string
	list   bool
	result resultOptions
}

func newPlotCmd(a *app, run func(context.Context, *app, plotOptions) error) *cobra.Command {
	var o plotOptions
	cmd := &cobra.Command{
		Use:   "plot WHAT [LOG...] -o FILE [-- FLAGS]",
		Short: "Draw one picture of a log",
		Long: `Draws one of the pictures that other commands draw with --plots. The extension
of FILE chooses the format: ` + strings.Join(pictureFormats, ", ") + `. Flags of the command that
draws the picture go after --.

--list lists the pictures with their commands and, given a LOG, says which of
them can be drawn.`,
		Example: `  loadstone plot --list
  loadstone plot run-times KTH-SP2-1996.swf.gz -o run-times.svg
  loadstone plot run-times kth.swf -o fits.pdf -- --family hyper-gamma
  loadstone plot two-sizes before.parquet after.parquet -o sizes.png
  loadstone plot grid-wait das3.gwf -o wait.svg -- --grid das3`,
		Args: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				o.more, args = args[at:], args[:at]
			}
			if o.list {
				if len(args) > 1 || len(o.more) > 0 || o.output != "" {
					return fmt.Errorf("--list goes alone, or with one log and --format")
				}
				o.logs = args
				return nil
			}
			return o.read(args)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return pictureNames(), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !o.list && o.result.format != "" {
				return flags.Usagef(cmd, "--format is for --list: the extension of -o says what a picture is: %s", strings.Join(pictureFormats, ", "))
			}
			return run(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "`file` of the picture: "+strings.Join(pictureFormats, ", "))
	cmd.Flags().BoolVar(&o.list, "list", false, "list the pictures")
	addResultFlags(cmd, &o.result, false)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var invalid *pflag.InvalidValueError
		if errors.As(err, &invalid) && invalid.GetFlag().Name == "format" && slices.Contains(pictureFormats, invalid.GetValue()) {
			return flags.Usagef(cmd, "--format %s: --format is for --list; for a picture as %[1]s, let the file's name end in .%[1]s: -o picture.%[1]s", invalid.GetValue())
		}
		if strings.HasPrefix(err.Error(), "unknown") {
			err = fmt.Errorf("%w; those of the command that draws go after --", err)
		}
		return cmd.Root().FlagErrorFunc()(cmd, err)
	})
	return cmd
}

// read takes what is to be drawn and of what.
func (o *plotOptions) read(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("want what to draw, such as run-times, and a log: 'loadstone plot --list' lists all pictures")
	}
	kinds := kindsOfPictures()
	i := slices.IndexFunc(kinds, func(k kindOfPicture) bool { return k.name == args[0] })
	if i < 0 {
		return unknownPicture(args[0])
	}
	o.kind, o.logs = kinds[i], args[1:]
	n := len(o.logs)
	least, most := o.kind.takes()
	if n < least || n > most {
		return fmt.Errorf("%s takes %s %s, saw %d", o.kind.name, o.kind.inputs(), words.Noun(most, "log"), n)
	}
	if o.output == "" {
		return fmt.Errorf("--output is missing: want the picture's file, such as %s.svg", o.kind.name)
	}
	if !slices.Contains(pictureFormats, o.format()) {
		return fmt.Errorf("%s: want a name that ends in .%s", o.output, strings.Join(pictureFormats, ", ."))
	}
	return nil
}

// unknownPicture names the pictures that may have been meant.
func unknownPicture(name string) error {
	all := pictureNames()
	near := slices.DeleteFunc(slices.Clone(all), func(n string) bool {
		return name == "" || !strings.Contains(n, name) && !strings.HasPrefix(name, n)
	})
	if len(near) == 0 {
		near = words.Near(name, all)
	}
	if len(near) == 0 {
		return fmt.Errorf("%q is not a picture: 'loadstone plot --list' lists all %d", name, len(all))
	}
	return fmt.Errorf("%q is not a picture: want %s, or another of 'loadstone plot --list'", name, strings.Join(near, ", "))
}

func (o *plotOptions) format() string {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(o.output)), ".")
	if !slices.Contains(pictureFormats, format) && links.Direct(o.output) {
		return pictureFormats[0]
	}
	return format
}

func runPlot(ctx context.Context, a *app, o plotOptions) error {
	if o.list {
		return a.listPictures(ctx, o)
	}
	if err := a.notOver(o.logs, o.output); err != nil {
		return err
	}
	if slices.Contains(o.more, "--help") || slices.Contains(o.more, "-h") {
		cmd, _, err := a.cmd.Root().Find([]string{o.kind.command})
		if err != nil {
			return err
		}
		return cmd.Help()
	}
	if err := a.couldDraw(ctx, o); err != nil {
		return err
	}
	all, err := drawers[o.kind.command](ctx, a, o)
	if err != nil {
		return o.behind(err)
	}
	why := "neither the log nor the flags after -- give anything to draw"
	if p, ok := figure.Find(all, cmp.Or(o.kind.picture, o.kind.name)); ok {
		if why, err = a.draw(o.output, o.format(), p); why == "" {
			if err == nil {
				a.note("%s: written", o.output)
			}
			return err
		}
	}
	err = fmt.Errorf("%s is not drawn: %s", o.kind.name, why)
	if len(o.logs) > 0 {
		err = fmt.Errorf("%s: %w", o.logs[0], err)
	}
	return o.behind(err)
}

// behind says of a failure that names an option or a flag where that flag goes.
func (o plotOptions) behind(err error) error {
	option := new(workload.OptionError)
	if !errors.As(err, &option) && !strings.Contains(err.Error(), "--") || strings.Contains(err.Error(), "after --") {
		return err
	}
	return fmt.Errorf("%w; 'plot' takes flags of '%s' after --", err, o.kind.command)
}

// listPictures lists the pictures, of a log with what it lacks for them.
func (a *app) listPictures(ctx context.Context, o plotOptions) error {
	type kind = kindOfPicture
	name := present.Text("name", "name", func(k kind) string { return k.name })
	logs := present.Text("logs", "logs", kind.inputs)
	command := present.Text("command", "command", func(k kind) string { return k.command })
	what := present.Text("what", "what", func(k kind) string { return k.what })
	paper := present.Text("figure", "figure", func(k kind) string { return k.paper })
	columns := []present.Column[kind]{name, logs, command, what, paper}
	fields := []present.Column[kind]{name, what, logs, command, paper}
	kinds := kindsOfPictures()
	if len(o.logs) == 1 {
		lacks, err := a.lacking(ctx, o.logs[0], kinds)
		if err != nil {
			return about(o.logs[0], err)
		}
		lacking := present.Text("lacks", "lacks", func(k kind) string { return lacks[k.name] })
		columns, fields = append(columns, lacking), append(fields, lacking)
	}
	return a.put(o.result, present.Listing(present.Objects("loadstone.pictures/1", "pictures", fields, kinds), columns, kinds))
}
