package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/evaluate"
)

type predictOptions struct {
	evaluate.WaitsOptions
	WaitFrom              countFrom `group:"Who predicts"`
	thresholds.Conditions `group:"Scores" of:"coverage(bmbp)>=0.95|the numbers of --format csv"`
	Baseline              thresholds.Baseline `of:"an accuracy or a correlation fell, a bound's coverage is farther below its quantile, or its pinball loss rose"`
	Result                resultOptions       `group:"Output"`
	Predictions           string              `opt:"predictions" file:"table" common:"true" help:"write every prediction to this <file>: .csv .parquet .arrow"`
	Plots                 plotOptions         `of:"predictions and scores"`

	input        string
	logs         []string                 // of a scoreboard: two or more
	requirements []thresholds.Requirement // of Conditions
}

// Choices are those of the library, and all predictors.
func (o *predictOptions) Choices(option string) []string {
	names := o.WaitsOptions.Choices(option)
	if option == "predictors" {
		return append(names, "all")
	}
	return names
}

func newPredictCmd(a *app, run func(context.Context, *app, predictOptions) error) *cobra.Command {
	o := predictOptions{WaitsOptions: evaluate.WaitsOptions{Predictors: evaluate.WaitPredictors()}}
	cmd := &cobra.Command{
		Use:   "predict LOG [LOG...]",
		Short: "Score predictors of queue wait",
		Long: `Replays a log and scores predictors of queue wait:

  bmbp qbets chebyshev  upper bounds that hold for the share --quantile of jobs,
                        from the waits in the log
  simulated estimates   the queue simulated first come, first served, with
                        predicted run times or the users' estimates
  downey-...            when enough processors will be free for the first job
                        in the simulated queue (Downey 1997)

'loadstone help predictors' lists all; 'loadstone wait' predicts one job's wait.`,
		Annotations: map[string]string{flags.Details: `Downey's predictors (downey-...): the log's jobs are simulated on the machine;
each job that waits at the head is one prediction, from the ages and sizes of
the running jobs and the distribution fitted to the run times of the simulated
jobs, of each of --classes separately. In JSON and CSV their coverage is the
share of waits with a prediction.

simulated, simulated-corrected and estimates predict the whole wait of a job of
that simulated queue at its submission. Run times are predicted by Last2 by
user, application, size and site (else by coarser classes), without and with
corrections as jobs end; the users' estimates bound the wait. Jobs that start at
once are not scored but for estimates. simulated-easy and
simulated-easy-corrected, where they are asked for, do the same under EASY
backfilling by the users' estimates. With --sites each site has a separate machine and queue.

bmbp, chebyshev and qbets bound the wait of a job at its submission. The first
tenth of the jobs trains. Their coverage is the share of bounded jobs whose wait
is not above the bound. Scored where they are asked for: bmbp-authors,
chebyshev-one-sided, and conformal, which learns its bounds from
the state of the queue, with its median conformal-point.

JSON and CSV have 95 % intervals of accuracies, of the coverage of bounds and of
correlations, from a bootstrap of weeks, or of days in a log of less than ten
weeks; a log of less than ten days has none.

Several logs give a scoreboard of the bounds on their waits, by log: the
pinball loss over the jobs that all bound (of 50,000, or --sample), ranks and
intervals; -o board.html writes it as a page.`},
		Example: `  loadstone predict KTH-SP2-1996.swf.gz
  loadstone predict kth.parquet --predictors bmbp,qbets,conformal
  loadstone predict kth.parquet --predictors bmbp --quantile 0.95 --format json
  loadstone predict kth.parquet --predictions waits.parquet --plots figures
  loadstone predict kth.parquet --require 'coverage(bmbp)>=0.95'   # exit code 3`,
		Args: boardLogs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.readAll(cmd, len(args)); err != nil {
				return err
			}
			if o.Sample > 0 && !cmd.Flags().Changed("predictors") {
				o.Predictors = evaluate.SamplePredictors()
			}
			var err error
			if o.input, o.logs, err = boardOf(cmd, args, &o.Result); err != nil {
				return err
			}
			if o.Sites != nil && len(o.Sites) == 0 && o.Processors == 0 {
				return flags.Usagef("--sites all: want --procs, the processors of each site")
			}
			if err := o.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	o.Result.page = true
	return cmd
}
