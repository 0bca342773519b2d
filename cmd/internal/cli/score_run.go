package cli

import (
	"context"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/workload"
)

// scorePredictedRunTimes scores predictions as runRuntime does predictors.
func scorePredictedRunTimes(ctx context.Context, a *app, o scoreOptions, p *predictions.Table) error {
	baseline, err := thresholds.ReadBaseline(o.baseline, evaluate.DecodeRunTimes)
	if err != nil {
		return err
	}
	x := runtimeOptions{input: o.log, baseline: o.baseline}
	x.By, x.Against, x.Replicates, x.Seed = o.by, o.against, o.replicates, o.seed
	entries, err := evaluate.PredictedEntries(p, x.RunTimesOptions)
	if err != nil {
		return err
	}
	if x.requirements, err = runTimeRequirements(a.cmd, o.require, field.Numbers[evaluate.RunTimeScore](), entries); err != nil {
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
	if o.plots.folder != "" {
		if err := a.drawAll(o.plots, figure.OfRunTimes(r)); err != nil {
			return err
		}
	}
	if err := a.put(o.result, tables.RunTimes(r)); err != nil {
		return err
	}
	return a.runTimeThresholds(x, r, baseline)
}

// scorePredictedWaits scores predictions as runPredict does predictors.
func scorePredictedWaits(ctx context.Context, a *app, o scoreOptions, p *predictions.Table) error {
	if o.against != "" {
		return flags.Usagef(a.cmd, "--against %s: it is for predictions of run times", o.against)
	}
	baseline, err := thresholds.ReadBaseline(o.baseline, evaluate.DecodeWaits)
	if err != nil {
		return err
	}
	x := predictOptions{input: o.log, baseline: o.baseline}
	if x.requirements, err = waitRequirements(a.cmd, o.require, p.Names()); err != nil {
		return err
	}
	w := evaluate.WaitsOptions{By: o.by, Replicates: o.replicates, Seed: o.seed, Pictures: o.plots.folder != ""}
	r, err := a.scoreWaits(ctx, o.log, w, func(ctx context.Context, log *workload.Log, w evaluate.WaitsOptions) (*evaluate.WaitsResult, error) {
		return evaluate.ScoreWaits(ctx, p, log, w)
	})
	if err != nil {
		return err
	}
	a.tell(o.log, present.WaitRemarks(r))
	if o.plots.folder != "" {
		if err := a.drawAll(o.plots, figure.OfWaits(r)); err != nil {
			return err
		}
	}
	if err := a.put(o.result, tables.Waits(r, 0)); err != nil {
		return err
	}
	return a.waitThresholds(x, r, baseline)
}
