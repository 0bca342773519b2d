package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/workload"
)

type gridOptions struct {
	oneLog
	Clusters string `opt:"grid" file:"read" some:"true" want:"das3, auvergrid, or a JSON file of clusters" group:"The grid" common:"true" help:"the clusters: a preset (das3, auvergrid) or a JSON <file>"`
	grid.Options
	Placements string        `opt:"placements" file:"table" group:"The result" help:"write every job's cluster, wait and predictions under every policy to this <file>: .csv"`
	Plots      plotOptions   `of:"waits and the clusters' jobs"`
	Result     resultOptions `group:"The result"`
}

// Choices returns the values that an option can take, nil if they are not a fixed set.
func (o *gridOptions) Choices(option string) []string {
	if option == "grid" {
		return grid.PresetNames()
	}
	return nil
}

func newGridOptions() *gridOptions { return &gridOptions{Options: grid.DefaultOptions()} }

// check returns an error for options that contradict each other.
func (o *gridOptions) check(a *app) error {
	for _, name := range []string{"history", "classes"} {
		if a.given(name) && !o.Predicts() {
			return flags.Usagef("--%s is for ect- with a predictor, and --policies are %s", name, strings.Join(o.Policies, ", "))
		}
	}
	if o.Clusters == "" {
		return flags.Usagef("--grid is missing: want %s, or a JSON file of clusters", strings.Join(grid.PresetNames(), ", "))
	}
	return nil
}

// clusters returns the grid, a preset or one read from a file.
func (o *gridOptions) clusters() (*grid.Grid, error) {
	text, err := grid.Preset(o.Clusters)
	if err != nil {
		text, err = flags.ReadFile(o.Clusters)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: neither a file nor a preset: the presets are %s", o.Clusters, strings.Join(grid.PresetNames(), ", "))
	}
	if err != nil {
		return nil, err
	}
	return grid.Decode(o.Clusters, text)
}

func (o *gridOptions) run(ctx context.Context, a *app) (*findings, error) {
	s := o.Options
	var err error
	if s.Grid, err = o.clusters(); err != nil {
		return nil, err
	}
	src, err := a.source(o.input)
	if err != nil {
		return nil, err
	}
	defer src.close()
	var log *workload.Log
	open := func() (*workload.Log, error) {
		log, err = src.open()
		return log, err
	}
	s.Watch = func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error] {
		if n == 0 {
			return a.progress.Watch(log)(jobs)
		}
		return a.progress.Counted("placing", n, jobs)
	}
	r, err := grid.Compute(ctx, open, s)
	switch {
	case errors.Is(err, grid.ErrNoSites):
		return nil, about(o.input, fmt.Errorf("%w; --no-sites treats it as a grid's", err))
	case err != nil:
		return nil, about(o.input, err)
	}
	if o.Placements != "" {
		if err := saveRows(a, o.Placements, r.EachPlaced); err != nil {
			return nil, err
		}
	}
	return &findings{
		about:   o.input,
		remarks: view.Warnings(r.Warnings),
		plots:   func() []figure.Spec { return figure.OfGrid(r) },
		result:  tables.Grid(r),
	}, nil
}
