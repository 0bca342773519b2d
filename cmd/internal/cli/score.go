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
	log, predictions string
	of               string
	by               []string
	against          string
	replicates       int
	seed             uint64
	plots            plotOptions
	require          []string
	baseline         thresholds.Baseline
	result           resultOptions
}

func newScoreCmd(a *app, run func(context.Context, *app, scoreOptions) error) *cobra.Command {
	o := scoreOptions{of: predictions.OfRunTimes}
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
			if err := o.baseline.Check(cmd, o.replicates, o.seed); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	f := cmd.Flags()
	flags.Enum(cmd, &o.of, "of", "predicted quantity", []string{predictions.OfRunTimes, predictions.OfWaits})
	flags.Enums(cmd, &o.by, "by", "also score parts of the log (length: run times; burst: waits)", scoreParts())
	f.StringVar(&o.against, "against", "", "`predictor,classes` that other predictors of run time are compared with (default last2,user, or the first)")
	flags.Bootstrap(cmd, &o.replicates, &o.seed, "user, or of waits by week or day", "")
	addPlotFlags(cmd, &o.plots, "the pictures of 'runtime' or 'predict'")
	thresholds.RequireFlag(cmd, &o.require, "accuracy(mine,file)>=0.48", thresholds.CSVScores)
	thresholds.BaselineFlags(cmd, &o.baseline, "an accuracy or a correlation fell, a bound's coverage is farther below its quantile, or its pinball loss rose")
	addResultFlags(cmd, &o.result, true)
	flags.Groups(cmd,
		flags.Group("Scores", "of", "by", "against", "replicates", "seed", "require", "baseline", "max-drop", "allow-missing"),
		flags.Group("Output", "format", "output", "plots", "plot-format"),
	)
	flags.Common(cmd, "of", "by", "require", "baseline", "plots", "format", "output")
	flags.Brief(cmd, map[string]string{
		"require":  "exit with code 3 unless this `condition` holds, such as 'accuracy(mine,file)>=0.48'; repeatable",
		"baseline": "exit with code 3 if a score is worse than in this result (`scores.json`) of an earlier run, or is missing",
	})
	return cmd
}

// scoreParts are the ways of cutting a log into parts, of run times and of waits.
func scoreParts() []string { return union(evaluate.RunTimesParts(), evaluate.WaitsParts()) }

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
	if err := a.notOver([]string{o.log, o.predictions, o.baseline.Path}, o.result.output); err != nil {
		return err
	}
	p, err := a.readPredictions(o)
	if err != nil {
		return err
	}
	if o.of == predictions.OfWaits {
		return scorePredictedWaits(ctx, a, o, p)
	}
	return scorePredictedRunTimes(ctx, a, o, p)
}

// ofStore has the log's own answers scored, which are of waits.
func (o *scoreOptions) ofStore(cmd *cobra.Command) error {
	if cmd.Flags().Changed("of") && o.of != predictions.OfWaits {
		return flags.Usagef(cmd, "--of %s: the store of a live service has predictions of waits", o.of)
	}
	o.of = predictions.OfWaits
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
	return predictions.Read(path, o.of, table)
}
