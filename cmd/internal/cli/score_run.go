package cli

import (
	"context"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/workload"
)

// scorePredictedRunTimes scores predictions as runRuntime does predictors.
func scorePredictedRunTimes(ctx context.Context, a *app, o scoreOptions, p *predictions.Table) error {
	baseline, err := thresholds.ReadBaseline(o.Baseline, evaluate.DecodeRunTimes)
	if err != nil {
		return err
	}
	x := runtimeOptions{input: o.log, Baseline: o.Baseline}
	x.By, x.Against, x.Replicates, x.Seed = o.By, o.Against, o.Replicates, o.Seed
	entries, err := evaluate.PredictedEntries(p, x.RunTimesOptions)
	if err != nil {
		return err
	}
	if x.requirements, err = runTimeRequirements(a.cmd, o.Conditions.Texts, field.Numbers[evaluate.RunTimeScore](), entries); err != nil {
		return err
	}
	log, err := a.open(o.log)
	if err != nil {
		return err
	}
	defer log.Close()
	x.Watch = a.progress.Watch(log)
	r, err := evaluate.ScoreRunTimes(ctx, p, log, x.RunTimesOptions)
	if err != nil {
		return about(o.log, err)
	}
	a.warnAll(o.log, r.Warnings)
	if o.Plots.Folder != "" {
		if err := a.drawAll(o.Plots, figure.OfRunTimes(r)); err != nil {
			return err
		}
	}
	if err := a.put(o.Result, tables.RunTimes(r)); err != nil {
		return err
	}
	return a.runTimeThresholds(x, r, baseline)
}

// scorePredictedWaits scores predictions as runPredict does predictors.
func scorePredictedWaits(ctx context.Context, a *app, o scoreOptions, p *predictions.Table) error {
	if o.Against != "" {
		return flags.Usagef("--against %s: it is for predictions of run times", o.Against)
	}
	baseline, err := thresholds.ReadBaseline(o.Baseline, evaluate.DecodeWaits)
	if err != nil {
		return err
	}
	x := predictOptions{input: o.log, Baseline: o.Baseline}
	if x.requirements, err = waitRequirements(a.cmd, o.Conditions.Texts, p.Names()); err != nil {
		return err
	}
	w := evaluate.WaitsOptions{By: o.By, Replicates: o.Replicates, Seed: o.Seed, Pictures: o.Plots.Folder != ""}
	r, err := a.scoreWaits(ctx, o.log, w, func(ctx context.Context, log *workload.Log, w evaluate.WaitsOptions) (*evaluate.WaitsResult, error) {
		return evaluate.ScoreWaits(ctx, p, log, w)
	})
	if err != nil {
		return err
	}
	a.tell(o.log, view.WaitRemarks(r))
	if o.Plots.Folder != "" {
		if err := a.drawAll(o.Plots, figure.OfWaits(r)); err != nil {
			return err
		}
	}
	if err := a.put(o.Result, tables.Waits(r, 0)); err != nil {
		return err
	}
	return a.waitThresholds(x, r, baseline)
}
