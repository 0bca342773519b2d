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
	input      string
	show       string // a preset to print
	grid       string // a preset or a file
	policies   []string
	history    string
	classes    []string
	correct    bool
	days       int
	noSites    bool
	feedback   bool
	placements string
	plots      plotOptions
	result     resultOptions
}

// quarter is the default of --days: three months.
const quarter = 91

func newGridCmd(a *app, run func(context.Context, *app, gridOptions) error) *cobra.Command {
	o := gridOptions{history: grid.HistoryGrid, classes: grid.DefaultClasses()}
	for _, p := range grid.PaperPolicies() {
		o.policies = append(o.policies, p.Name())
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
			if o.show != "" {
				return o.showGrid(a, args)
			}
			if err := oneLog(cmd, args); err != nil {
				return flags.Usage(cmd, err)
			}
			o.input = args[0]
			if err := o.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	addGridFlags(cmd, &o)
	return cmd
}

func runGrid(ctx context.Context, a *app, o gridOptions) error {
	if err := a.notOver([]string{o.input, o.grid}, o.placements, o.result.output); err != nil {
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
	if o.placements != "" {
		err := savePlain(a, "placements", o.placements, tables.Placements, r.EachPlaced)
		if err != nil {
			return err
		}
	}
	if o.plots.folder != "" {
		if err := a.drawAll(o.plots, figure.OfGrid(r)); err != nil {
			return err
		}
	}
	return a.put(o.result, tables.Grid(r))
}

// studyGrid studies the log.
func studyGrid(ctx context.Context, a *app, o gridOptions) (*grid.Result, error) {
	s, err := o.study(a)
	if err != nil {
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
