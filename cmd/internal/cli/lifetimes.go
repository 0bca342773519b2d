package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/workload"
)

type lifetimesOptions struct {
	lifetimes.ComputeOptions
	Result resultOptions `group:"The result"`
	Plots  plotOptions   `group:"The result" of:"the classes and periods with their fits"`

	input string
}

func newLifetimesCmd(a *app, run func(context.Context, *app, lifetimesOptions) error) *cobra.Command {
	var o lifetimesOptions
	cmd := &cobra.Command{
		Use:   "lifetimes LOG [--by COLUMNS]",
		Short: "Fit run times by class, and predict remaining run times",
		Long: `Fits a distribution to the run times of each class of jobs: uniform-log, as
Downey (1997) uses to predict waits, or another --family. It prints the
remaining run time of jobs by age, and the overlap of the classes: the share of
jobs of one class that run longer than the median of another.`,
		Annotations: map[string]string{flags.Details: `--by takes up to four columns, whose cross product makes the classes. Ranges of
quantities such as the size go from one power of two to the next. With --months
or --periods it prints how the fitted distributions drift, and how well those of
the previous period fit.`},
		Example: `  loadstone lifetimes KTH-SP2-1996.swf.gz
  loadstone lifetimes kth.parquet --by queue_id,size --months 4
  loadstone lifetimes kth.parquet --by user_id --periods 6 --format json
  loadstone lifetimes kth.parquet --by size --plots pictures`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			if err := o.Validate(); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	o.Classes = []string{workload.AllJobs}
	flags.Bind(cmd, &o)
	return cmd
}

func runLifetimes(ctx context.Context, a *app, o lifetimesOptions) error {
	if err := a.notOver([]string{o.input}, o.Result.Output); err != nil {
		return err
	}
	r, err := a.lifetimes(ctx, o)
	if err != nil {
		return err
	}
	a.warnAll(o.input, r.Warnings)
	if o.Plots.Folder != "" {
		if err := a.drawAll(o.Plots, figure.OfLifetimes(r)); err != nil {
			return err
		}
	}
	return a.put(o.Result, tables.Lifetimes(r))
}

// lifetimes reads a log and fits the lifetimes of its classes.
func (a *app) lifetimes(ctx context.Context, o lifetimesOptions) (*lifetimes.Result, error) {
	o.Work = a.progress.Work
	open := func() (*workload.Log, error) { return a.open(o.input) }
	if o.Periods > 0 { // the log is read twice
		src, err := a.source(o.input)
		if err != nil {
			return nil, err
		}
		defer src.close()
		open = src.open
	}
	r, err := lifetimes.Compute(ctx, open, o.ComputeOptions)
	return r, about(o.input, err)
}
