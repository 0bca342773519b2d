package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type scaleOptions struct {
	Load loadOption `opt:"load" common:"true" help:"offered load to reach, such as 0.9, or 1.2x for 1.2 times the log's"`
	reshape.ScaleOptions
	Jobs jobsOptions

	input string
}

func newScaleCmd(a *app, run func(context.Context, *app, scaleOptions) error) *cobra.Command {
	var o scaleOptions
	cmd := &cobra.Command{
		Use:   "scale LOG --load R [-o OUT]",
		Short: "Scale a log's offered load",
		Long: `Makes a log with the offered load R (work over the capacity of the machine from
the first to the last submission) and keeps the daily cycle. Methods:

  thin          (default for lower loads) draws the jobs that are kept
  replicate     (default for higher loads) adds copies of users, shifted by
                whole weeks
  interarrival  shrinks or stretches the time between jobs, for any load

Waits in the result are those of the old load; 'loadstone simulate' computes new
ones.`,
		Annotations: map[string]string{flags.Details: `With thin, users send fewer jobs. With replicate, a user's copy does the same as
the user, whole weeks earlier or later: on the same weekday, at the same time of
day. The first and the last submission stay. Each job and each copy takes 16
bytes of memory; the log is kept in a temporary file. interarrival measures time
by the rate at which jobs come in each half hour of the week (of the day, in a
log of less than four weeks), scales it, and converts it back to clock time. All
jobs stay, in their order; the log gets shorter or longer.

The load that was reached is on standard error and in the header, with a warning
if it is not within 0.5 % of R. The same seed gives the same log.`},
		Example: `  loadstone scale kth.parquet --load 0.9 -o kth-90.swf
  loadstone scale kth.parquet --load 0.9 --method interarrival -o kth-90.parquet`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			if !cmd.Flags().Changed("load") {
				return flags.Usagef(cmd, "--load is missing: want the offered load to reach, such as 0.9")
			}
			o.ScaleOptions.Load, o.Times = o.Load.load, o.Load.times
			if err := o.Validate(); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	return cmd
}

func runScale(ctx context.Context, a *app, o scaleOptions) error {
	src, err := a.source(o.input)
	if err != nil {
		return err
	}
	defer src.close()
	s, err := reshape.Scale(ctx, src.open, o.ScaleOptions)
	switch {
	case errors.Is(err, workload.ErrNoMachine):
		return fmt.Errorf("%s: %w: give --procs", o.input, err)
	case err != nil:
		return inLog(o.input, err)
	}
	defer s.Close()
	a.warnOfLoad(o.Load.load)
	says := func() string {
		return fmt.Sprintf("offered load %s on %d processors, asked for %s, before %s; method %s",
			view.Sig(s.Reached()), s.Processors, view.Sig(s.Asked), view.Sig(s.Before), s.Method)
	}
	err = a.putChanged(ctx, o.Jobs, s.Begun(), s.Optional(), named(o.input, s.Jobs), func() workload.Header {
		return s.Header("loadstone scale", fmt.Sprintf("scaled: %s, seed %d; waits are those of the old load", says(), o.Seed))
	})
	if err != nil {
		return err
	}
	a.warnAll(o.input, s.Warnings())
	a.note("%s", says())
	return nil
}
