package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

type predictOptions struct {
	input       string
	predictors  []string
	processors  int64
	quantile    float64
	confidence  float64
	trim        float64
	predictions string
	result      resultOptions
}

// headNames and boundNames are the predictors of the two pipelines.
func headNames() []string {
	var names []string
	for _, p := range predict.Downey(predict.OneLaw{}) {
		names = append(names, p.Name())
	}
	return names
}

var boundNames = []string{"bmbp", "chebyshev"}

func newPredictCmd(a *app, run func(context.Context, *app, predictOptions) error) *cobra.Command {
	valid := append(headNames(), boundNames...)
	o := predictOptions{predictors: valid}
	cmd := &cobra.Command{
		Use:   "predict IN",
		Short: "Score predictors of queue wait",
		Long: `Scores two kinds of predictors.

Downey's (downey-a, downey-b and their two combinations) say when the processors
for the job at the head of a first-come-first-served queue will be free. The
log's jobs are simulated on a machine of --procs processors; each job that waits
at the head is one prediction, from the ages and sizes of the running jobs and
the uniform-log law fitted to the run times of the jobs that are simulated. In
JSON and CSV their coverage is the share of waits with a prediction.

bmbp and chebyshev bound the wait of a job at its submission, from the log's own
waits: a share --quantile of the waits is to stay below the bound. The first
tenth of the jobs trains. Their coverage is the share of bounded jobs whose wait
is not above the bound.`,
		Example: "  loadstone predict KTH-SP2-1996.swf.gz\n  loadstone predict kth.parquet --predictors bmbp --quantile 0.95 --format json",
		Args:    oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			if err := checkProcs(cmd, o.processors); err != nil {
				return err
			}
			switch {
			case !(o.quantile > 0 && o.quantile < 1):
				return usagef(cmd, "--quantile %g: want a number between 0 and 1", o.quantile)
			case !(o.confidence > 0 && o.confidence < 1):
				return usagef(cmd, "--confidence %g: want a number between 0 and 1", o.confidence)
			case !(o.trim >= 0 && o.trim < 0.5):
				return usagef(cmd, "--trim %g: want 0 or more and less than 0.5", o.trim)
			}
			return run(cmd.Context(), a, o)
		},
	}
	enumsFlag(cmd, &o.predictors, "predictors", "predictors to score", valid)
	procsFlag(cmd, &o.processors, "processors of the simulated machine (default: the header's)")
	cmd.Flags().Float64Var(&o.quantile, "quantile", 0.95, "share of waits that a bound is to cover")
	cmd.Flags().Float64Var(&o.confidence, "confidence", 0.95, "confidence that it does")
	cmd.Flags().Float64Var(&o.trim, "trim", 0.1, "share of the shortest and of the longest jobs left out of the line of lifetimes")
	cmd.Flags().StringVar(&o.predictions, "predictions", "", "write every prediction to this CSV file")
	addResultFlags(cmd, &o.result, true)
	return cmd
}

func runPredict(ctx context.Context, a *app, o predictOptions) error {
	if err := a.notOver([]string{o.input}, o.predictions, o.result.output); err != nil {
		return err
	}
	r := &predictRun{app: a, o: o}
	if err := r.survey(ctx); err != nil {
		return about(o.input, err)
	}
	score := func(save *csv.Writer) error {
		r.save = save
		if err := r.heads(ctx); err != nil {
			return about(o.input, err)
		}
		if err := r.bounds(ctx); err != nil {
			return about(o.input, err)
		}
		a.warnAll(o.input, r.warnings.List())
		return a.put(o.result, r.result())
	}
	if o.predictions == "" {
		return score(nil)
	}
	return a.writeFile(o.predictions, func(w io.Writer) error {
		cw := csv.NewWriter(w)
		if err := cw.Write([]string{"job_id", "predictor", "predicted_s", "actual_s", "history_n"}); err != nil {
			return err
		}
		if err := score(cw); err != nil {
			return err
		}
		cw.Flush()
		return cw.Error()
	})
}

// predictRun is one run of both pipelines and what came of it.
type predictRun struct {
	app      *app
	o        predictOptions
	header   workload.Header
	jobs     int
	held     []workload.Job // of standard input, which cannot be read again
	warnings workload.Warnings
	save     *csv.Writer

	law        dist.UniformLog
	processors int64
	scores     []predictScore
}

// survey reads the log a first time: it counts the jobs, and keeps those of
// standard input. Both pipelines need two more passes each.
func (r *predictRun) survey(ctx context.Context) error {
	log, err := r.app.open(r.o.input)
	if err != nil {
		return err
	}
	defer log.Close()
	for j, err := range workload.InOrder(until(ctx, log.Jobs()), &r.warnings) {
		if err != nil {
			return err
		}
		r.jobs++
		if r.o.input == "-" {
			r.held = append(r.held, j)
		}
	}
	r.header = log.Header
	r.app.warnAll(r.o.input, log.Warnings())
	return nil
}

// replay yields the jobs in order once more.
func (r *predictRun) replay(ctx context.Context) workload.JobSeq {
	if r.o.input == "-" {
		return until(ctx, func(yield func(workload.Job, error) bool) {
			for i := range r.held {
				if !yield(r.held[i], nil) {
					return
				}
			}
		})
	}
	return func(yield func(workload.Job, error) bool) {
		log, err := r.app.open(r.o.input)
		if err != nil {
			yield(workload.Job{}, err)
			return
		}
		defer log.Close()
		for j, err := range workload.InOrder(until(ctx, log.Jobs()), nil) {
			if !yield(j, err) {
				return
			}
		}
	}
}

// predictScore is one row of the result; bound is nil for a point prediction.
type predictScore struct {
	predictor string
	wait      *score.Wait
	bound     *score.Bound
}

func (r *predictRun) chosen(names []string) []string {
	var out []string
	for _, n := range names {
		if slices.Contains(r.o.predictors, n) {
			out = append(out, n)
		}
	}
	return out
}

// heads scores Downey's predictors.
func (r *predictRun) heads(ctx context.Context) error {
	names := r.chosen(headNames())
	if len(names) == 0 {
		return nil
	}
	processors, err := machine(r.o.input, &r.header, r.o.processors)
	if err != nil {
		return err
	}
	r.processors = processors
	trim := r.o.trim
	if trim == 0 {
		trim = -1 // fit's word for none
	}
	lifetimes, _, err := predict.FitOneLaw(r.replay(ctx), processors, trim)
	if err != nil {
		return err
	}
	r.law = lifetimes.Law
	var predictors []predict.HeadPredictor
	for _, p := range predict.Downey(lifetimes) {
		if slices.Contains(names, p.Name()) {
			predictors = append(predictors, p)
		}
	}
	tallies := make([]score.WaitTally, len(predictors))
	config := predict.HeadConfig{Processors: processors, Predictors: predictors, Warnings: &r.warnings}
	for row, err := range predict.AtHead(r.replay(ctx), config) {
		if err != nil {
			return err
		}
		for i, p := range row.Predictions {
			tallies[i].Add(p.Seconds, row.Actual)
			if err := r.write(row.Request.ID, names[i], p.Seconds, row.Actual, p.Observations); err != nil {
				return err
			}
		}
	}
	for i := range tallies {
		s := tallies[i].Result()
		r.scores = append(r.scores, predictScore{predictor: names[i], wait: &s})
	}
	return nil
}

// bounds scores the bounds on the log's own waits.
func (r *predictRun) bounds(ctx context.Context) error {
	names := r.chosen(boundNames)
	if len(names) == 0 {
		return nil
	}
	var predictors []predict.BoundPredictor
	for _, name := range names {
		var p predict.BoundPredictor
		var err error
		switch name {
		case "bmbp":
			p, err = predict.NewBMBP(r.o.quantile, r.o.confidence)
		case "chebyshev":
			p, err = predict.NewChebyshev(r.o.quantile, r.o.confidence)
		}
		if err != nil {
			return err
		}
		predictors = append(predictors, p)
	}
	training, err := predict.TrainingTenth(r.replay(ctx))
	if err != nil {
		return err
	}
	tallies := make([]score.BoundTally, len(predictors))
	for row, err := range predict.Bounds(r.replay(ctx), training, predictors) {
		if errors.Is(err, predict.ErrNoWaits) && len(r.scores) > 0 {
			r.app.warn("%s: %v: %s left out; %s", r.o.input, predict.ErrNoWaits, strings.Join(names, " and "), hintSimulate)
			return nil
		}
		if errors.Is(err, predict.ErrNoWaits) {
			return fmt.Errorf("%w: %s", err, hintSimulate)
		}
		if err != nil {
			return err
		}
		if !row.Scored {
			continue
		}
		for i, b := range row.Bounds {
			tallies[i].Add(b.Seconds, row.Actual)
			if err := r.write(row.Request.ID, names[i], b.Seconds, row.Actual, b.Observations); err != nil {
				return err
			}
		}
	}
	for i := range tallies {
		s := tallies[i].Result()
		r.scores = append(r.scores, predictScore{predictor: names[i], bound: &s})
	}
	return nil
}

const hintSimulate = "'loadstone simulate' gives a log simulated waits"

func (r *predictRun) write(id int64, predictor string, predicted, actual float64, history int) error {
	if r.save == nil || math.IsNaN(predicted) {
		return nil
	}
	return r.save.Write([]string{strconv.FormatInt(id, 10), predictor, number(predicted).text(), number(actual).text(), strconv.Itoa(history)})
}
