package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/study/allocate"
)

type allocateOptions struct {
	allocate.Options
	Processors int64         `opt:"procs" in:"[1,1048576]" group:"Machine" common:"true" help:"processors of the machine (default: from the log's header, or 128)"`
	Sweep      string        `opt:"sweep" not:"search" group:"Results" common:"true" help:"<parameter=value,...>: studies each value; parameters: load, procs, max-parallelism, max-sigma, max-sequential, night, classes, risk, heur-k" brief:"<parameter=value,...>: study each value, such as load=0.5,0.75"`
	PerJob     string        `opt:"per-job" file:"write" help:"write every job under every strategy to this <file>: .csv, .parquet or .arrow"`
	Plots      plotOptions   `group:"Results" of:"the paper's figures 1 to 5 and the sweep"`
	Result     resultOptions `group:"Results"`

	input string // empty where the workload is drawn
}

func newAllocateCmd(a *app, run func(context.Context, *app, allocateOptions) error) *cobra.Command {
	o := allocateOptions{Options: allocate.DefaultOptions()}
	cmd := &cobra.Command{
		Use:   "allocate [LOG]",
		Short: "Study malleable jobs that choose their size by predicted wait",
		Long: `Simulates malleable jobs on a first-come-first-served machine. The first job in
the queue either starts on the free processors or waits for more, as its
strategy says. Two tables: what each job would have saved if it alone had waited
(the application's side), and schedules in which all jobs follow the strategy
(the system's side). Without LOG the jobs are drawn from the model downey1997.

Strategies: avg, avg-min, opt, pred, bias, bias-lock, bias-lock-risk,
bias-internal, heur.`,
		Annotations: map[string]string{flags.Details: `Strategies: avg takes what is free; avg-min waits for a share of the job's
parallelism; opt knows when running jobs end; pred predicts it; bias corrects
the prediction by the results of earlier ones; bias-lock also gives jobs that
wait no more than they asked for; bias-lock-risk also waits for large savings
only; bias-internal counts the wait of all jobs in the queue; heur is a rule of
four parameters, which --search optimises. Without LOG, workloads are drawn for
each of --seeds, and numbers have 95 % intervals over the seeds.

From a LOG the study takes the malleable jobs; --sigma makes the others
malleable, with their size as average parallelism. Submissions keep their times.
--log-days treats them as days whose next morning waits for the queue to be
empty, as in 'generate --model downey1997'.`},
		Example: `  loadstone allocate
  loadstone allocate --sweep load=0.5,0.75,1 --strategies avg,opt,bias
  loadstone allocate kth.swf --sigma 1 --strategies opt,pred -o kth.json`,
		Args: atMostOneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.input = args[0]
			}
			if err := o.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	flags.Refuse(cmd, "feedback", "allocate is always open, because it compares what each job saves with its submission held; 'loadstone simulate' and 'loadstone grid' close the loop")
	return cmd
}

// atMostOneLog is the arguments of a command that can do without a log.
func atMostOneLog(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return new(oneLog).args(args)
}

func runAllocate(ctx context.Context, a *app, o allocateOptions) error {
	if err := a.notOver([]string{o.input}, o.PerJob, o.Result.Output); err != nil {
		return err
	}
	r, err := studyAllocation(ctx, a, o)
	if r != nil {
		a.warnAll(o.input, r.Warnings)
	}
	if err != nil {
		return err
	}
	if o.Plots.Folder != "" {
		if err := a.drawAll(o.Plots, figure.OfAllocation(r)); err != nil {
			return err
		}
	}
	return a.put(o.Result, tables.Allocation(r))
}

// studyAllocation studies the jobs of a log, or some that are drawn. A result beside
// an error has its warnings.
func studyAllocation(ctx context.Context, a *app, o allocateOptions) (*allocate.Result, error) {
	study := o.Options
	study.Keep = study.Keep || o.Plots.Folder != ""
	advice := "fewer --days, --seeds or --strategies take less"
	if o.input != "" {
		log, err := a.open(o.input)
		if err != nil {
			return nil, err
		}
		defer log.Close()
		if _, err := machine(o.input, &log.Header, o.Processors); err != nil {
			return nil, err
		}
		study.Log, study.OfHeader = log, o.Processors == 0
		advice = "fewer --strategies take less"
	}
	var end func()
	study.Simulated, end = a.progress.Work("simulating", "simulations", study.Simulations())
	defer end()
	study.Expected = func(jobs, seconds float64) { a.warnOfStudy(jobs, seconds, advice) }
	var r *allocate.Result
	err := savePlain(a, "per-job", o.PerJob, tables.AllocatedJobs, func(save func(allocate.PlacedJob) error) (err error) {
		study.Placed = save
		r, err = allocate.Compute(ctx, study)
		return err
	})
	switch {
	case errors.Is(err, allocate.ErrRigid) && study.Sigma == nil:
		return r, about(o.input, fmt.Errorf("%w: '--sigma 1' assumes one", err))
	case err != nil && o.input != "":
		return r, about(o.input, err)
	}
	return r, err
}

// warnOfStudy warns of a study that takes long, and says what takes less.
func (a *app) warnOfStudy(jobs, seconds float64, advice string) {
	if seconds >= longStudy {
		a.warn("%.3g jobs are to be studied: some %s of one core; %s", jobs, longTime(seconds), advice)
	}
}
