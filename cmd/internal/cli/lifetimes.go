package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/workload"
)

type lifetimesOptions struct {
	lifetimes.ComputeOptions
	input  string
	plots  plotOptions
	result resultOptions
}

func newLifetimesCmd(a *app, run func(context.Context, *app, lifetimesOptions) error) *cobra.Command {
	var o lifetimesOptions
	typed := fitFlags{}
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
			for _, code := range typed.status {
				o.Status = append(o.Status, int64(code))
			}
			if err := flags.CheckNamed(cmd, o.Named, "by", &o.Classes); err != nil {
				return err
			}
			if err := o.Validate(); err != nil {
				return flags.OptionFault(cmd, err)
			}
			return run(cmd.Context(), a, o)
		},
	}
	o.Classes = []string{workload.AllJobs}
	flags.Words(cmd, &o.Classes, "by", "classes by at most four columns", workload.Grouping{})
	flags.Named(cmd, &o.Named)
	o.Family = "uniform-log"
	flags.Enum(cmd, &o.Family, "family", "family of distributions", fit.Families())
	cmd.Flags().IntVar(&o.Months, "months", 0, "print the drift over periods of 1, 2, 3, 4, 6 or 12 months")
	cmd.Flags().IntVar(&o.Periods, "periods", 0, "print the drift over this many periods of equal length")
	addClassLimits(cmd, &typed, &o.LeastJobs)
	addLawFlags(cmd, &o.Fit)
	addPlotFlags(cmd, &o.plots, "the classes and periods with their fits")
	addResultFlags(cmd, &o.result, true)
	flags.Groups(cmd,
		flags.Group("Classes", "by", "class", "months", "periods", "status", "least-jobs"),
		flags.Group("The distribution of a class", append([]string{"family"}, lawFlags...)...),
		flags.Group("The result", "output", "format", "plots", "plot-format"),
	)
	flags.Common(cmd, "by", "family", "months", "periods", "plots", "format", "output")
	flags.Brief(cmd, map[string]string{
		"family": "family of distributions, such as hyper-gamma",
	})
	return cmd
}

func runLifetimes(ctx context.Context, a *app, o lifetimesOptions) error {
	if err := a.notOver([]string{o.input}, o.result.output); err != nil {
		return err
	}
	r, err := a.lifetimes(ctx, o)
	if err != nil {
		return err
	}
	a.warnAll(o.input, r.Warnings)
	if o.plots.folder != "" {
		if err := a.drawAll(o.plots, figure.OfLifetimes(r)); err != nil {
			return err
		}
	}
	return a.put(o.result, tables.Lifetimes(r))
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
