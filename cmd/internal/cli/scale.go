package cli

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type scaleOptions struct {
	input      string
	load       float64
	method     string // "" is the default for the load
	processors int64
	seed       uint64
	jobs       jobsOptions
}

func newScaleCmd(a *app, run func(context.Context, *app, scaleOptions) error) *cobra.Command {
	var o scaleOptions
	cmd := &cobra.Command{
		Use:   "scale IN --load R [--method NAME] [-o OUT]",
		Short: "Bring a log to another offered load, with its daily cycle held",
		Long: `Makes a log of the offered load R: processor seconds of work over what the
machine could do from the first to the last submission, as 'loadstone describe'
has it. Dividing all submission times by a factor would move noon to midnight;
the methods here keep the share of every hour of the day:

  thin          (default for lower loads) keeps each job with the same
                probability. Users send fewer jobs.
  replicate     (default for higher loads) adds copies of the jobs by new users.
                A user's copy does the same as the user, whole weeks earlier or
                later: on the same weekday, at the same time of day. First and
                last submission stay. Each job and each copy takes 16 bytes of
                memory; the log is kept in a temporary file.
  interarrival  shrinks or stretches the time between jobs, for any load. Time
                is counted at the rate at which jobs come in each half hour of
                the week (of the day, in a log of less than four weeks), scaled
                there, and taken back to the clock. All jobs stay, in their
                order; the log gets shorter or longer.

Everything else in the jobs stays, waits too: they are those of the old load,
and 'loadstone simulate' makes those of the new one. The load that was reached
is said on standard error and in the header; by chance it differs a little from
R where jobs are drawn. The same seed gives the same log.`,
		Example: `  loadstone scale kth.parquet --load 0.9 -o kth-90.swf
  loadstone scale kth.parquet --load 0.9 --method interarrival -o kth-90.parquet`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			switch {
			case !cmd.Flags().Changed("load"):
				return usagef(cmd, "--load is missing: want the offered load to reach, such as 0.9")
			case !(o.load > 0) || math.IsInf(o.load, 0):
				return usagef(cmd, "--load %g: want a number above 0", o.load)
			}
			if err := checkProcs(cmd, o.processors); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	cmd.Flags().Float64Var(&o.load, "load", 0, "offered load to reach, such as 0.9")
	enumFlag(cmd, &o.method, "method", "way to it (default by the load)", reshape.Methods())
	procsFlag(cmd, &o.processors, "processors of the machine (default: the header's)")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "seed of the random numbers")
	addJobsFlags(cmd, &o.jobs)
	return cmd
}

func runScale(ctx context.Context, a *app, o scaleOptions) error {
	src, err := a.source(o.input)
	if err != nil {
		return err
	}
	defer src.close()
	var load *reshape.Load
	first, err := src.read(func(log *workload.Log) (err error) {
		load, err = reshape.MeasureLoad(workload.Until(ctx, log.Jobs()))
		return err
	})
	if err != nil {
		return err
	}
	processors, err := machine(o.input, &first.Header, o.processors)
	if err != nil {
		return err
	}
	factor, err := load.Factor(processors, o.load)
	if err != nil {
		return inLog(o.input, err)
	}
	method := reshape.Method(o.method)
	if method == "" {
		method = reshape.DefaultMethod(factor)
	}
	if method == reshape.Replicated {
		if err := reshape.CheckReplicas(load.Jobs, factor); err != nil {
			return inLog(o.input, err)
		}
	}
	clock, remark := first.Header.Clock()
	var cycle *reshape.Cycle
	if method == reshape.Interarrival {
		_, err := src.read(func(log *workload.Log) (err error) {
			cycle, err = reshape.MeasureCycle(workload.Until(ctx, log.Jobs()), load, clock)
			return err
		})
		if err != nil {
			return inLog(o.input, err)
		}
	}

	log, err := src.open()
	if err != nil {
		return err
	}
	defer log.Close()
	var c changed
	jobs := counting(workload.Until(ctx, log.Jobs()), &c.before)
	switch method {
	case reshape.Thin:
		jobs, err = reshape.ThinJobs(jobs, factor, random(o.seed))
	case reshape.Replicated:
		jobs, err = reshape.Replicate(jobs, factor, clock, random(o.seed))
	default:
		var warp *reshape.Warp
		if warp, err = cycle.WarpTo(load, processors, o.load); err == nil {
			jobs = warp.Jobs(jobs)
		}
	}
	if err != nil {
		return inLog(o.input, err)
	}
	reached := reshape.NewLoad()
	jobs = counting(reached.Through(named(o.input, jobs)), &c.after)
	says := func() string {
		return fmt.Sprintf("offered load %s on %d processors, asked for %s, before %s; method %s",
			present.Sig(reached.Offered(processors)), processors, present.Sig(o.load), present.Sig(load.Offered(processors)), method)
	}
	err = a.putChanged(ctx, o.jobs, jobs, func() workload.Header {
		return c.header(log.Header, "scale", fmt.Sprintf("scaled: %s, seed %d; waits are those of the old load", says(), o.seed))
	})
	if err != nil {
		return err
	}
	a.warnAll(o.input, log.Warnings())
	if method != reshape.Thin && remark != "" {
		a.warn("%s: %s", o.input, remark)
	}
	a.note("%s", says())
	if off := reached.Offered(processors)/o.load - 1; !(math.Abs(off) < 0.05) {
		a.warn("%s: the load is %s%% off: a few jobs weigh much in it; try another --seed, or --method interarrival", o.input, present.Sig(100*off))
	}
	return nil
}
