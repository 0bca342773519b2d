package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/study/grid"
)

// check finds the faults of options that are out of range or at odds.
func (o *gridOptions) check(cmd *cobra.Command) error {
	if o.Clusters == "" {
		return flags.Usagef("--grid is missing: want %s, or a JSON file of clusters ('loadstone grid --show das3' prints one)", strings.Join(grid.PresetNames(), ", "))
	}
	for _, name := range []string{"history", "classes", "correct"} {
		if cmd.Flags().Changed(name) && !o.Predicts() {
			return flags.Usagef("--%s is for ect- with a predictor, and --policies are %s", name, strings.Join(o.Policies, ", "))
		}
	}
	return nil
}

// clusters reads the grid.
func (o *gridOptions) clusters() (grid.Grid, error) {
	if slices.Contains(grid.PresetNames(), o.Clusters) {
		return grid.Preset(o.Clusters)
	}
	data, err := flags.ReadFile(o.Clusters)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return grid.Grid{}, fmt.Errorf("%s: neither a file nor a preset: the presets are %s", o.Clusters, strings.Join(grid.PresetNames(), ", "))
		}
		return grid.Grid{}, err
	}
	g, err := grid.Decode(data)
	if err != nil {
		return g, fmt.Errorf("%s: %s", o.Clusters, strings.TrimPrefix(err.Error(), "grid: "))
	}
	return g, nil
}

// showGrid prints a preset's file.
func (o *gridOptions) showGrid(a *app, args []string) error {
	if len(args) > 0 {
		return flags.Usagef("--show prints a preset and reads no log: remove %q", args)
	}
	for _, f := range opt.Fields(o) {
		if f.Name != "show" && a.cmd.Flags().Changed(f.Name) {
			return flags.Usagef("--show only prints a preset: remove --%s", f.Name)
		}
	}
	g, err := grid.Preset(o.Show)
	if err != nil {
		return err
	}
	_, err = a.Out.Write(grid.Encode(g))
	return err
}
