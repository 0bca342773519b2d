package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

func runPredict(ctx context.Context, a *app, o predictOptions) error {
	if len(o.logs) > 0 {
		return a.waitsBoard(ctx, o)
	}
	if err := a.notOver([]string{o.input, o.Baseline.Path}, o.Predictions, o.Result.Output); err != nil {
		return err
	}
	baseline, err := thresholds.ReadBaseline(o.Baseline, evaluate.DecodeWaits)
	if err != nil {
		return err
	}
	var r *evaluate.WaitsResult
	// The predictions are put in place last: where there is no result, there
	// is no file.
	err = savePlain(a, "predictions", o.Predictions, tables.WaitPredictions, func(save func(evaluate.WaitPrediction) error) error {
		w := o.WaitsOptions
		w.Predicted = save
		var err error
		if r, err = a.scoreWaits(ctx, o.input, w, evaluate.Waits); err != nil {
			return err
		}
		a.tell(o.input, view.WaitRemarks(r))
		if o.Plots.Folder != "" {
			if err := a.drawAll(o.Plots, figure.OfWaits(r)); err != nil {
				return err
			}
		}
		return a.put(o.Result, tables.Waits(r, o.Processors))
	})
	if err != nil {
		return err
	}
	return a.waitThresholds(o, r, baseline)
}

// waitsScorer is a call such as evaluate.Waits.
type waitsScorer func(context.Context, *workload.Log, evaluate.WaitsOptions) (*evaluate.WaitsResult, error)

// scoreWaits opens the log and scores predictors on it.
func (a *app) scoreWaits(ctx context.Context, input string, w evaluate.WaitsOptions, score waitsScorer) (*evaluate.WaitsResult, error) {
	log, err := a.open(input)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	if input != "-" {
		w.Reopen = func() (*workload.Log, error) { return a.reopen(input) }
	}
	w.Watch = func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error] {
		if n == 0 {
			return a.progress.Watch(log)(jobs)
		}
		return a.progress.Counted("jobs of "+filepath.Base(input), n, jobs)
	}
	w.Early = func(w workload.Warning) { a.warn("%s: %s: %s", input, w.Text, view.HintSimulate) }
	r, err := score(ctx, log, w)
	a.warnWhyNoJobs(input, log, err)
	switch {
	case errors.Is(err, predict.ErrNoWaits):
		return nil, about(input, fmt.Errorf("%w: %s", err, view.HintSimulate))
	case errors.Is(err, workload.ErrNoMachine):
		return nil, about(input, fmt.Errorf("%w: give --procs, or ask only predictors that need no machine: --predictors bmbp,qbets,conformal", err))
	case err != nil:
		return nil, about(input, err)
	}
	return r, nil
}
