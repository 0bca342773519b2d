package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/study/grid"
)

func addGridFlags(cmd *cobra.Command, o *gridOptions) {
	f := cmd.Flags()
	f.StringVar(&o.grid, "grid", "", "the clusters: a preset ("+strings.Join(grid.PresetNames(), ", ")+") or a JSON `file`")
	flags.Complete(cmd, "grid", grid.PresetNames())
	flags.Enum(cmd, &o.show, "show", "print the file of a preset", grid.PresetNames())
	flags.Enums(cmd, &o.policies, "policies", "policies to compare", grid.PolicyNames())
	flags.Enum(cmd, &o.history, "history", "whose jobs ect's predictors learn from: the whole grid's, or first those that ran on the cluster", []string{grid.HistoryGrid, grid.HistoryCluster})
	f.Var(&flags.ClassesFlag{Values: &o.classes}, "classes", "`classes` of jobs that they learn from, the finest first; the next is asked where one has no history")
	f.BoolVar(&o.correct, "correct", true, "let each completion correct the predictions of its class's running and queued jobs")
	f.IntVar(&o.days, "days", quarter, "study this many consecutive days, those with the most work; 0 is the whole log")
	f.BoolVar(&o.noSites, "no-sites", false, "treat a log in which no job has a site (partition) as a grid's")
	f.BoolVar(&o.feedback, "feedback", false, "submit a job that depends on another when that one has ended")
	f.StringVar(&o.placements, "placements", "", "write every job's cluster, wait and predictions under every policy to this `file`: .csv .parquet .arrow")
	addPlotFlags(cmd, &o.plots, "waits and the clusters' jobs")
	addResultFlags(cmd, &o.result, true)
	flags.Groups(cmd,
		flags.Group("The grid", "grid", "show"),
		flags.Group("The policies", "policies", "history", "classes", "correct"),
		flags.Group("The log", "days", "no-sites", "feedback"),
		flags.Group("The result", "placements", "plots", "plot-format", "output", "format"))
	flags.Common(cmd, "grid", "policies", "days", "show", "plots", "format", "output")
	flags.Brief(cmd, map[string]string{
		"policies": "policies to compare",
	})
}

// check finds the faults of options that are out of range or at odds.
func (o *gridOptions) check(cmd *cobra.Command) error {
	if o.grid == "" {
		return flags.Usagef(cmd, "--grid is missing: want %s, or a JSON file of clusters ('loadstone grid --show das3' prints one)", strings.Join(grid.PresetNames(), ", "))
	}
	study := o.options()
	for _, name := range []string{"history", "classes", "correct"} {
		if cmd.Flags().Changed(name) && !study.Predicts() {
			return flags.Usagef(cmd, "--%s is for ect- with a predictor, and --policies are %s", name, strings.Join(o.policies, ", "))
		}
	}
	return checkPlain(cmd, "placements", o.placements)
}

// options are those of the library's study, without its grid.
func (o *gridOptions) options() grid.Options {
	return grid.Options{
		Policies: o.policies, History: o.history, Classes: o.classes, Uncorrected: !o.correct,
		Days: o.days, NoSites: o.noSites, Feedback: o.feedback,
	}
}

// study is the library's study, with the grid that is read.
func (o *gridOptions) study(a *app) (s grid.Options, err error) {
	s = o.options()
	s.Grid, err = o.clusters()
	return s, err
}

// clusters reads the grid.
func (o *gridOptions) clusters() (grid.Grid, error) {
	if slices.Contains(grid.PresetNames(), o.grid) {
		return grid.Preset(o.grid)
	}
	data, err := flags.ReadFile(o.grid)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return grid.Grid{}, fmt.Errorf("%s: neither a file nor a preset: the presets are %s", o.grid, strings.Join(grid.PresetNames(), ", "))
		}
		return grid.Grid{}, err
	}
	g, err := grid.Decode(data)
	if err != nil {
		return g, fmt.Errorf("%s: %s", o.grid, strings.TrimPrefix(err.Error(), "grid: "))
	}
	return g, nil
}

// showGrid prints a preset's file.
func (o *gridOptions) showGrid(a *app, args []string) error {
	if len(args) > 0 {
		return flags.Usagef(a.cmd, "--show prints a preset and reads no log: remove %q", args)
	}
	for _, name := range []string{"grid", "policies", "history", "classes", "correct", "days", "no-sites", "feedback", "placements", "plots", "plot-format", "output", "format"} {
		if a.cmd.Flags().Changed(name) {
			return flags.Usagef(a.cmd, "--show only prints a preset: remove --%s", name)
		}
	}
	g, err := grid.Preset(o.show)
	if err != nil {
		return err
	}
	_, err = a.Out.Write(grid.Encode(g))
	return err
}
