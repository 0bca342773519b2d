package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/runtime/outside"
)

type runtimeOptions struct {
	evaluate.RunTimesOptions
	Exec                  []string      `opt:"exec" repeat:"true" group:"Who predicts" common:"true" help:"score this <command> of the shell too; 'name: command' names it"`
	ExecTimeout           time.Duration `opt:"exec-timeout" in:"(0,)" default:"1m" for:"exec" help:"longest time for one answer of --exec"`
	thresholds.Conditions `group:"Scores" of:"accuracy(last2,user)>=0.48|the numbers of --format csv"`
	Baseline              thresholds.Baseline `of:"an accuracy fell"`
	Result                resultOptions       `group:"Output"`
	Predictions           string              `opt:"predictions" file:"table" common:"true" help:"write every prediction to this <file>: .csv .parquet .arrow"`
	Plots                 plotOptions         `of:"accuracies and their distributions"`

	input        string
	logs         []string                 // of a scoreboard: two or more
	requirements []thresholds.Requirement // of Conditions
}

const requireForm = "accuracy(last2,user)>=0.48"

func newRuntimeCmd(a *app, run func(context.Context, *app, runtimeOptions) error) *cobra.Command {
	o := runtimeOptions{}
	o.Predictors, o.Classes = runtime.PaperPredictorNames(), runtime.ClassesNames()
	cmd := &cobra.Command{
		Use:   "runtime LOG [LOG...]",
		Short: "Score predictors of run time",
		Long: `Replays a log: when a job is submitted, each predictor predicts its run time
from jobs of the same class that have ended. Accuracy is the smaller of
predicted and actual run time over the larger (1 is perfect), as a mean over all
jobs with a prediction; coverage is the share of jobs with one.

Predictors: es, exponential smoothing; rm, running mean; sm, median of the last
five; last; last2, mean of the last two; and, where the log has them, the users'
estimates. 'loadstone help predictors' lists more. The most accurate is often
kernel, which takes two to three times as long: --predictors kernel,last2,...`,
		Annotations: map[string]string{flags.Details: `The best predictor is the one with the highest accuracy over the jobs that all
predicted. 95 % intervals are from a bootstrap of users.

Several logs give a scoreboard: all predictors by log, ranked by the accuracy
over the jobs that all predicted, with intervals of the difference from the
best. -o board.html writes it as a page: loadstone runtime *.swf.gz --predictors
all -o board.html

--exec runs your program, in any language. It reads submissions and ends of jobs
as lines of JSON and answers each submission with a prediction; see
docs/reference/pipelines.md. It is scored as NAME,exec.

--fallback scores each predictor with several classes in turn: the first with a
history predicts.

The exit code is 3 if --require or --baseline is not met; the result is written
all the same.`},
		Example: `  loadstone runtime KTH-SP2-1996.swf.gz
  loadstone runtime kth.parquet --classes user,user+queue --predictors last2,sm
  loadstone runtime kth.parquet --exec './my.py --window 20'
  loadstone runtime kth.parquet --require 'accuracy(last2,user)>=0.48'
  loadstone runtime kth.parquet --predictors all -o scores.json`,
		Args: boardLogs,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.input, o.logs, err = boardOf(cmd, args, &o.Result, "against"); err != nil {
				return err
			}
			if err := o.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	o.Result.page = true
	flags.Refuse(cmd, "procs", "predictions of run time do not depend on the size of the machine: leave it out")
	return cmd
}

func runRuntime(ctx context.Context, a *app, o runtimeOptions) error {
	if len(o.logs) > 0 {
		return a.runTimesBoard(ctx, o)
	}
	if err := a.notOver([]string{o.input, o.Baseline.Path}, o.Predictions, o.Result.Output); err != nil {
		return err
	}
	baseline, err := thresholds.ReadBaseline(o.Baseline, evaluate.DecodeRunTimes)
	if err != nil {
		return err
	}
	var r *evaluate.RunTimesResult
	// The predictions are put in place last: where there is no result, there
	// is no file.
	err = savePlain(a, "predictions", o.Predictions, tables.RunTimePredictions, func(save func(evaluate.RunTimePrediction) error) error {
		o.Predicted = save
		var err error
		if r, err = a.scoreRunTimes(ctx, o); err != nil {
			return err
		}
		a.warnAll(o.input, r.Warnings)
		if o.Plots.Folder != "" {
			if err := a.drawAll(o.Plots, figure.OfRunTimes(r)); err != nil {
				return err
			}
		}
		return a.put(o.Result, tables.RunTimes(r))
	})
	if err != nil {
		return err
	}
	return a.runTimeThresholds(o, r, baseline)
}

// scoreRunTimes opens the log and scores the predictors on it.
func (a *app) scoreRunTimes(ctx context.Context, o runtimeOptions) (*evaluate.RunTimesResult, error) {
	log, err := a.open(o.input)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	o.Watch = a.progress.Watch(log)
	a.hear(o.Programs)
	r, err := evaluate.RunTimes(ctx, log, o.RunTimesOptions)
	if fault := new(outside.Fault); errors.As(err, &fault) { // not the log's
		return nil, fmt.Errorf("--exec %s: %w", fault.Label, fault.Err)
	}
	return r, about(o.input, err)
}
