package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/workload"
)

type gridOptions struct {
	Clusters string `opt:"grid" file:"read" group:"The grid" common:"true" help:"the clusters: a preset (das3, auvergrid) or a JSON <file>"`
	Show     string `opt:"show" common:"true" help:"print the file of a preset"`
	grid.Options
	Correct    bool          `opt:"correct" usual:"true" group:"The policies" help:"let each completion correct the predictions of its class's running and queued jobs"`
	Placements string        `opt:"placements" file:"write" group:"The result" help:"write every job's cluster, wait and predictions under every policy to this <file>: .csv .parquet .arrow"`
	Plots      plotOptions   `of:"waits and the clusters' jobs"`
	Result     resultOptions `group:"The result"`

	input string
}

// Choices are the values of options that take one of some.
func (o *gridOptions) Choices(option string) []string {
	if option == "show" {
		return grid.PresetNames()
	}
	return nil
}

// Check finds out whether the file's name asks for a form.
func (o *gridOptions) Check() error { return checkPlain("placements", o.Placements) }

func newGridCmd(a *app, run func(context.Context, *app, gridOptions) error) *cobra.Command {
	o := gridOptions{Options: grid.Options{Classes: grid.DefaultClasses()}}
	for _, p := range grid.PaperPolicies() {
		o.Policies = append(o.Policies, p.Name())
	}
	cmd := &cobra.Command{
		Use:   "grid LOG --grid NAME|FILE",
		Short: "Compare policies that place jobs on clusters",
		Long: `Simulates several clusters under one broker, which chooses a cluster for each
job when it is submitted (Sonmez and others 2009, section 5). The clusters are
first come, first served. It prints response time, wait and bounded slowdown
under each policy, and the jobs of each cluster.

Policies: ect-perfect and ect-last2, earliest expected completion with known or
predicted run times; lb, least loaded cluster; fpf, fastest cluster with enough
idle processors; fpf-in-order; home. A grid is a preset or a JSON file;
'loadstone grid --show das3' prints one.`,
		Annotations: map[string]string{flags.Details: `ect-last2 takes any predictor of 'loadstone runtime' instead of last2. With
fpf, jobs wait in a global queue until a cluster has enough idle processors, and
may overtake others there; fpf-in-order does not let them. home is the job's
site. --feedback closes the loop, as in 'loadstone simulate'.

The presets are das3 and auvergrid, with the sizes of the paper's table 4. A
cluster's speed divides run times. The paper publishes none: those of das3 are
an assumption, which the result repeats; a file of your own has others.`},
		Example: `  loadstone grid das3.gwf --grid das3
  loadstone grid das3.gwf --grid das3 --policies ect-last2,ect-sm,lb
  loadstone grid log.swf --grid mine.json --days 0 -o waits.json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Show != "" {
				return o.showGrid(a, args)
			}
			if err := new(oneLog).args(args); err != nil {
				return flags.Usage(err)
			}
			o.input = args[0]
			if err := o.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	flags.Complete(cmd, "grid", grid.PresetNames())
	return cmd
}

func runGrid(ctx context.Context, a *app, o gridOptions) error {
	if err := a.notOver([]string{o.input, o.Clusters}, o.Placements, o.Result.Output); err != nil {
		return err
	}
	r, err := studyGrid(ctx, a, o)
	if err != nil {
		return err
	}
	for _, w := range r.Warnings {
		if gridHints[w.Rule] == "" { // the others are told before the work
			a.warn("%s: %s", o.input, w)
		}
	}
	if o.Placements != "" {
		err := savePlain(a, "placements", o.Placements, tables.Placements, r.EachPlaced)
		if err != nil {
			return err
		}
	}
	if o.Plots.Folder != "" {
		if err := a.drawAll(o.Plots, figure.OfGrid(r)); err != nil {
			return err
		}
	}
	return a.put(o.Result, tables.Grid(r))
}

// studyGrid studies the log.
func studyGrid(ctx context.Context, a *app, o gridOptions) (*grid.Result, error) {
	s := o.Options
	var err error
	if s.Grid, err = o.clusters(); err != nil {
		return nil, err
	}
	s.Uncorrected = !o.Correct
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
	s.Early = func(w workload.Warning) {
		if hint := gridHints[w.Rule]; hint != "" {
			a.warn("%s: %s; %s", o.input, w.Text, hint)
		}
	}
	r, err := grid.Compute(ctx, open, s)
	switch {
	case errors.Is(err, grid.ErrNoSites) && !s.Grid.NamesSites():
		return nil, about(o.input, fmt.Errorf("%w; --no-sites treats it as a grid's", err))
	case err != nil:
		return nil, about(o.input, err)
	}
	return r, nil
}

// gridHints say what can be done about a warning that a study takes much.
var gridHints = map[string]string{
	grid.EarlySlow:   "fewer --days take less, and other --policies none",
	grid.EarlyMemory: "fewer --days or --policies take less",
}
