package cli

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

type runtimeOptions struct {
	input       string
	predictors  []string
	classes     []string
	predictions string
	result      resultOptions
}

func newRuntimeCmd(a *app, run func(context.Context, *app, runtimeOptions) error) *cobra.Command {
	o := runtimeOptions{predictors: runtime.PredictorNames(), classes: runtime.ClassesNames()}
	cmd := &cobra.Command{
		Use:   "runtime IN",
		Short: "Score predictors of run time",
		Long: `Replays a log once. When a job is submitted, every predictor predicts its run
time from the jobs of its class that had ended by then; when it has ended, the
predictors learn. Accuracy is 1 for a perfect prediction, else the smaller of
predicted and actual over the larger; it is a mean over the jobs for which there
was a prediction, and coverage says how many these are.

Predictors: es exponential smoothing, rm mean of all, sm median of the last
five, last the last one, last2 mean of the last two. Classes: site (partition),
user, user-site, user-app-size-site.`,
		Example: "  loadstone runtime KTH-SP2-1996.swf.gz\n  loadstone runtime kth.parquet --classes user --predictors last2,sm --format json",
		Args:    oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			return run(cmd.Context(), a, o)
		},
	}
	enumsFlag(cmd, &o.predictors, "predictors", "predictors to score", runtime.PredictorNames())
	enumsFlag(cmd, &o.classes, "classes", "ways of sorting jobs into classes", runtime.ClassesNames())
	cmd.Flags().StringVar(&o.predictions, "predictions", "", "write every prediction to this CSV file")
	addResultFlags(cmd, &o.result, true)
	return cmd
}

func runRuntime(ctx context.Context, a *app, o runtimeOptions) error {
	if err := a.notOver([]string{o.input}, o.predictions, o.result.output); err != nil {
		return err
	}
	entries, err := runtime.Entries(o.classes, o.predictors, runtime.Options{})
	if err != nil {
		return err
	}
	log, err := a.open(o.input)
	if err != nil {
		return err
	}
	defer log.Close()
	tallies := make([]score.RunTimeTally, len(entries))
	var warnings workload.Warnings
	rows := runtime.Replay(workload.InOrder(until(ctx, log.Jobs()), &warnings), &warnings, entries...)
	replay := func(each func(*runtime.Row) error) error {
		for row, err := range rows {
			if err != nil {
				return err
			}
			for i, p := range row.Predictions {
				tallies[i].Add(p.Seconds, row.Job.Run)
			}
			if err := each(row); err != nil {
				return err
			}
		}
		return nil
	}
	finish := func() error {
		a.warnAll(o.input, log.Warnings())
		a.warnAll(o.input, warnings.List())
		if tallies[0].Result().Jobs == 0 {
			return fmt.Errorf("%s: no job has a run time to score: %w", o.input, workload.ErrNoJobs)
		}
		return a.put(o.result, runtimeResult(log, entries, tallies))
	}
	if o.predictions == "" {
		if err := replay(func(*runtime.Row) error { return nil }); err != nil {
			return about(o.input, err)
		}
		return finish()
	}
	// The predictions are put in place last: where there is no result, there
	// is no file.
	return a.writeFile(o.predictions, func(w io.Writer) error {
		if err := writeRunTimePredictions(w, entries, replay); err != nil {
			return about(o.input, err)
		}
		return finish()
	})
}

// writeRunTimePredictions writes one row a job and predictor that predicted.
func writeRunTimePredictions(w io.Writer, entries []runtime.Entry, replay func(func(*runtime.Row) error) error) error {
	cw := csv.NewWriter(w)
	if err := cw.Write([]string{"job_id", "classes", "predictor", "predicted_s", "actual_s", "history_n"}); err != nil {
		return err
	}
	err := replay(func(row *runtime.Row) error {
		for i, p := range row.Predictions {
			if math.IsNaN(p.Seconds) {
				continue
			}
			err := cw.Write([]string{strconv.FormatInt(row.Job.ID, 10), entries[i].Classes.Name, entries[i].Predictor,
				number(p.Seconds).text(), number(row.Job.Run).text(), strconv.Itoa(p.Observations)})
			if err != nil {
				return err
			}
		}
		return nil
	})
	cw.Flush()
	if err != nil {
		return err
	}
	return cw.Error()
}

type runtimeJSON struct {
	Schema string             `json:"schema"`
	Log    logJSON            `json:"log"`
	Scores []runtimeScoreJSON `json:"scores"`
}

// logJSON says which log a result is of.
type logJSON struct {
	Name string `json:"name"`
	Jobs int    `json:"jobs"`
}

type runtimeScoreJSON struct {
	Classes             string `json:"classes"`
	Predictor           string `json:"predictor"`
	Jobs                int    `json:"jobs"`
	Predicted           int    `json:"predicted"`
	Coverage            number `json:"coverage"`
	AccuracyMean        number `json:"accuracy_mean"`
	AbsoluteErrorMean   number `json:"absolute_error_mean_s"`
	AbsoluteErrorMedian number `json:"absolute_error_median_s"`
	MedianMethod        string `json:"absolute_error_median_method"`
}

func runtimeResult(log *workload.Log, entries []runtime.Entry, tallies []score.RunTimeTally) result {
	js := runtimeJSON{Schema: "loadstone.runtime-scores/1"}
	csv := table{head: []string{"classes", "predictor", "jobs", "predicted", "coverage", "accuracy_mean", "absolute_error_mean_s", "absolute_error_median_s"}}
	people := table{head: []string{"classes", "predictor", "jobs", "predicted", "coverage", "accuracy", "abs. error mean", "median"}}
	for i := range tallies {
		s := tallies[i].Result()
		js.Log = logJSON{log.Name, s.Jobs}
		js.Scores = append(js.Scores, runtimeScoreJSON{
			entries[i].Classes.Name, entries[i].Predictor, s.Jobs, s.Predicted, number(s.Coverage), number(s.AccuracyMean),
			number(s.AbsoluteErrorMean), number(s.AbsoluteErrorMedian), s.MedianMethod,
		})
		left := []string{entries[i].Classes.Name, entries[i].Predictor, strconv.Itoa(s.Jobs), strconv.Itoa(s.Predicted)}
		csv.add(append(left[:4:4], number(s.Coverage).text(), number(s.AccuracyMean).text(), number(s.AbsoluteErrorMean).text(), number(s.AbsoluteErrorMedian).text())...)
		people.add(append(left[:4:4], fixed(s.Coverage, 4), fixed(s.AccuracyMean, 4), duration(s.AbsoluteErrorMean), duration(s.AbsoluteErrorMedian))...)
	}
	return result{text: people.writeTo, json: js, csv: csv}
}

// duration writes seconds for people, always in seconds so that rows compare.
func duration(seconds float64) string {
	if math.IsNaN(seconds) {
		return "-"
	}
	return sig(seconds) + " s"
}
