package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

type predictOptions struct {
	input       string
	logs        []string // of a scoreboard: two or more
	predictors  []string
	processors  int64
	quantile    float64
	confidence  float64
	trim        float64
	first       int // jobs that are replayed; 0 is all
	sample      int // jobs that all predictors are asked about; 0 is none
	predictions string
	sites       map[int64]int64 // of the simulated queue; nil is one machine

	classes []string // columns of the classes of lifetimes
	law     string
	unbias  bool
	months  int
	groups  []string // columns of the groups of bounds
	named   []workload.NamedClass
	changes string
	factor  float64 // of estimates that are drawn; 0 for none
	by      []string

	policy string // of the schedules of --sample

	plots      plotOptions
	replicates int
	seed       uint64
	require    []string
	baseline   thresholds.Baseline
	result     resultOptions

	requirements []thresholds.Requirement // of require
}

func newPredictCmd(a *app, run func(context.Context, *app, predictOptions) error) *cobra.Command {
	usual := evaluate.WaitPredictors()
	var sites string
	o := predictOptions{predictors: usual, law: "uniform-log", changes: predict.TrimOnMisses.String(), policy: sched.EASY{}.Name()}
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
			if err := flags.CheckProcs(cmd, o.processors); err != nil {
				return err
			}
			if err := o.readAll(cmd, len(args)); err != nil {
				return err
			}
			if o.sample > 0 && !cmd.Flags().Changed("predictors") {
				o.predictors = evaluate.SamplePredictors()
			}
			var err error
			if o.input, o.logs, err = boardOf(cmd, args, &o.result); err != nil {
				return err
			}
			if o.sites, err = parseSites(sites); err != nil {
				return flags.Usagef(cmd, "--sites: %w", err)
			}
			if sites == "all" && o.processors == 0 {
				return flags.Usagef(cmd, "--sites all: want --procs, the processors of each site")
			}
			if err := o.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Enums(cmd, &o.predictors, "predictors", "predictors to score", append(evaluate.AllWaitPredictors(), "all"))
	flags.Procs(cmd, &o.processors, "processors of the simulated machine (default: the header's)")
	cmd.Flags().StringVar(&sites, "sites", "", "a machine for each partition, in the simulated queue: `all`, each of --procs processors, or sizes such as 1=64,2=128, other partitions having --procs or, without it, being left out")
	cmd.Flags().IntVar(&o.first, "first-jobs", 0, "replay only this many jobs, the first by submission (default: all)")
	cmd.Flags().Float64Var(&o.quantile, "quantile", 0.95, "share of waits that a bound should cover")
	cmd.Flags().Float64Var(&o.confidence, "confidence", 0.95, "confidence that it covers them")
	cmd.Flags().Float64Var(&o.trim, "trim", 0.1, "share of the shortest and of the longest jobs left out of the line of lifetimes")
	flags.Words(cmd, &o.classes, "classes", "classes of lifetimes, by columns", workload.Grouping{Submitted: true})
	flags.Enum(cmd, &o.law, "law", "distribution of lifetimes", evaluate.Laws())
	cmd.Flags().IntVar(&o.months, "months", 0, "the distributions of lifetimes are those of the interval of so many months before, 1, 2, 3, 4, 6 or 12; 0: those of the whole log")
	cmd.Flags().BoolVar(&o.unbias, "unbias", false, "also score Downey's predictors with their bias corrected by the errors of earlier predictions")
	flags.Words(cmd, &o.groups, "groups", "groups of bounds (default: ranges of size)", workload.Grouping{Submitted: true})
	flags.Named(cmd, &o.named)
	flags.Enum(cmd, &o.changes, "changes", "when a bound forgets older waits: after runs of misses, by the published rule, or never", predict.ChangeRules())
	cmd.Flags().Float64Var(&o.factor, "estimate-factor", 0, "draw missing estimates between the run time and this multiple of it; 5 is the paper's")
	flags.Enums(cmd, &o.by, "by", "also score parts of the log", evaluate.WaitsParts())
	cmd.Flags().IntVar(&o.sample, "sample", 0, "also score all predictors on the same sample of this many `jobs`")
	flags.Policy(cmd, &o.policy, "who starts next in the schedules of --sample", policyNames())
	addPredictionsFlag(cmd, &o.predictions)
	addPredictThresholds(cmd, &o)
	a.addWaitFrom(cmd)
	addResultFlags(cmd, &o.result, true)
	o.result.page = true
	groupPredictFlags(cmd)
	return cmd
}
