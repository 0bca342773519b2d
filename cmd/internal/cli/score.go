package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

type scoreOptions struct {
	Of                    string   `opt:"of" default:"runtime" group:"Scores" common:"true" help:"predicted quantity"`
	By                    []string `opt:"by" common:"true" help:"also score parts of the log (length: run times; burst: waits)"`
	Against               string   `opt:"against" help:"<predictor,classes> that other predictors of run time are compared with (default last2,user, or the first)"`
	Replicates            int      `opt:"replicates" in:"0|[39,100000]" usual:"1000" help:"draws of the bootstrap by user, or of waits by week or day, 39 or more; 0 for none"`
	Seed                  uint64   `opt:"seed" usual:"1" help:"seed of the bootstrap"`
	thresholds.Conditions `group:"Scores" of:"accuracy(mine,file)>=0.48|the numbers of --format csv"`
	Baseline              thresholds.Baseline `of:"an accuracy or a correlation fell, a bound's coverage is farther below its quantile, or its pinball loss rose"`
	Result                resultOptions       `group:"Output"`
	Plots                 plotOptions         `of:"the pictures of 'runtime' or 'predict'"`

	log, predictions string
}

// Choices are the values of options that take one of some.
func (o *scoreOptions) Choices(option string) []string {
	switch option {
	case "of":
		return []string{predictions.OfRunTimes, predictions.OfWaits}
	case "by": // of run times and of waits
		return union(evaluate.RunTimesParts(), evaluate.WaitsParts())
	}
	return nil
}

func newScoreCmd(a *app, run func(context.Context, *app, scoreOptions) error) *cobra.Command {
	var o scoreOptions
	cmd := &cobra.Command{
		Use:   "score {LOG PREDICTIONS | STORE}",
		Short: "Score the predictions of another program",
		Long: `Scores predictions of run time, or with --of wait of queue wait, from a table
(CSV, Parquet or Arrow), as 'runtime' and 'predict' score theirs. Its columns:

  job_id         the number of the job in the log
  predicted_s    the prediction, in seconds
  quantile       for an upper bound, the share of jobs that should stay below it
  predictor      name of the predictor (default: the file's name)
  classes        for run times, optional

STORE is the folder of a live service ('loadstone serve'), whose predictions are
scored on the jobs that started.`,
		Annotations: map[string]string{flags.Details: `The tables that 'runtime --predictions' and 'predict --predictions' write can be
scored. Waits are scored on all jobs but the first tenth, as in 'predict'. The
exit code is 3 if --require or --baseline is not met; the result is written all
the same.

A STORE has jobs and answers: its bounds, and the expected waits by simulated
schedules (drawn) and by the scheduler, are scored.

Predictions are held in memory, 8 bytes each and some 50 for each job; the log
is read as a stream, for waits a few times. A job that one predictor predicts
twice is an error with its line, as is a table without any job of the log.
Predictions for jobs that are not in the log, without a number, negative, or in
a unit that looks like minutes or hours are counted in warnings. A job without a
prediction lowers the coverage.

A predictor with several quantiles counts as several, such as mine@0.95. Rows of
simulated waits, as 'predict' writes them, are scored against their column
actual_s.`},
		Example: `  loadstone score KTH-SP2-1996.swf.gz mine.csv
  loadstone score kth.parquet mine.csv --require 'accuracy(mine,file)>=0.5'
  loadstone score kth.parquet bounds.parquet --of wait --by month
  loadstone score /var/lib/loadstone --format json`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 1 && journal.IsStore(args[0]):
				return nil
			case len(args) != 2 || slices.Contains(args, "") || args[0] == "-" && args[1] == "-":
				return fmt.Errorf("want a log and a file of predictions, at most one of them -, or the store of a live service, saw %q", args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.log = args[0]
			if len(args) == 2 {
				o.predictions = args[1]
			} else if err := o.ofStore(cmd); err != nil {
				return err
			}
			o.Baseline.Replicates, o.Baseline.Seed = o.Replicates, o.Seed
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	return cmd
}

// union is the names of both lists, each once.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}

func runScore(ctx context.Context, a *app, o scoreOptions) error {
	if err := a.notOver([]string{o.log, o.predictions, o.Baseline.Path}, o.Result.Output); err != nil {
		return err
	}
	p, err := a.readPredictions(o)
	if err != nil {
		return err
	}
	if o.Of == predictions.OfWaits {
		return scorePredictedWaits(ctx, a, o, p)
	}
	return scorePredictedRunTimes(ctx, a, o, p)
}

// ofStore has the log's own answers scored, which are of waits.
func (o *scoreOptions) ofStore(cmd *cobra.Command) error {
	if cmd.Flags().Changed("of") && o.Of != predictions.OfWaits {
		return flags.Usagef("--of %s: the store of a live service has predictions of waits", o.Of)
	}
	o.Of = predictions.OfWaits
	return nil
}

// readPredictions reads the predictions; "-" is the command's own standard input.
func (a *app) readPredictions(o scoreOptions) (*predictions.Table, error) {
	path := o.predictions
	if path == "" {
		return predictions.ReadStore(o.log)
	}
	open := func() (workload.Table, func() error, error) {
		return logfile.OpenTable(path, predictions.Columns())
	}
	if path == "-" {
		open = func() (workload.Table, func() error, error) {
			return logfile.OpenTableReader(path, a.In, predictions.Columns())
		}
	}
	table, done, err := open()
	if err != nil {
		return nil, err
	}
	defer done()
	return predictions.Read(path, o.Of, table)
}
