package cli

import (
	"context"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/workload"
)

// describeAll describes the log, by queue where it has any, and hour by hour
// where it is short.
func (l *reportLog) describeAll(ctx context.Context, a *app) error {
	interval, queues := dayInterval, l.hasQueue(ctx, a)
	for {
		if err := l.runDescribe(ctx, a, interval, queues); err != nil {
			return err
		}
		switch d := l.describe; {
		case !queues && d.Groups["queue_id"].Known > 0:
			queues = true // they begin late
		case interval == dayInterval && d.Log.LastSubmit-d.Log.FirstSubmit < shortLog:
			interval = hourInterval
		default:
			return nil
		}
	}
}

// queueWithin is in how many jobs from its beginning on a log with queues has
// one, as a rule.
const queueWithin = 10_000

// hasQueue says whether some job at the log's beginning has a queue: describing
// by queues a log that has none would be work for nothing.
func (l *reportLog) hasQueue(ctx context.Context, a *app) bool {
	log, err := a.reopen(l.input)
	if err != nil {
		return false
	}
	defer log.Close()
	seen := 0
	for j, err := range workload.Until(ctx, log.Jobs()) {
		if err != nil || j.Queue != workload.Unknown {
			return err == nil
		}
		if seen++; seen == queueWithin {
			return false
		}
	}
	return false
}

func (l *reportLog) runDescribe(ctx context.Context, a *app, interval string, queues bool) error {
	flags := []string{"--section", "all", "--interval", interval}
	if queues {
		flags = append(flags, "--by", "queue_id")
	}
	sub, args, done := l.step(a, "describe", "describe", flags...)
	defer done()
	o, err := typedOptions(ctx, sub, newDescribeCmd, args)
	if err != nil {
		return err
	}
	l.describe, err = describeLog(ctx, sub, o)
	return err
}

func (l *reportLog) runValidate(ctx context.Context, a *app) error {
	sub, args, done := l.step(a, "validate", "validate")
	defer done()
	o, err := typedOptions(ctx, sub, newValidateCmd, args)
	if err != nil {
		return err
	}
	l.validate, err = validateLog(ctx, sub, o)
	return err
}

func (l *reportLog) runFit(ctx context.Context, a *app) error {
	flags := []string{"--site", siteFull, "--tests"}
	if n := l.o.replicates; n > 0 {
		flags = append(flags, "--replicates", strconv.Itoa(n), "--intervals", "0.95")
	}
	if n := l.siteDraws(); n > 0 {
		flags = append(flags, "--site-replicates", strconv.Itoa(n))
	}
	flags = append(flags, "--seed", strconv.FormatUint(l.o.seed, 10))
	sub, args, done := l.step(a, "fit", "fit", flags...)
	defer done()
	o, err := typedOptions(ctx, sub, newFitCmd, args)
	if err != nil {
		return err
	}
	r, err := sub.fitLog(ctx, o)
	if err != nil {
		return err
	}
	l.fitted = r
	sub.noteFits(l.fitted)
	sub.compareLoads(l.input, l.fitted)
	return nil
}

func (l *reportLog) runLifetimes(ctx context.Context, a *app) error {
	sub, args, done := l.step(a, lifetimesReport, "fit", "--lifetimes", "all")
	defer done()
	o, err := typedOptions(ctx, sub, newFitCmd, args)
	if err != nil {
		return err
	}
	found, err := lifetimesOf(ctx, sub, o)
	if err != nil {
		return err
	}
	js := found.result().json.(fitLifetimesJSON)
	l.remaining = &js
	return nil
}

func (l *reportLog) runRuntime(ctx context.Context, a *app) error {
	sub, args, done := l.step(a, runtimeReport, "runtime", "--seed", strconv.FormatUint(l.o.seed, 10), "--plots", picturesFolder)
	defer done()
	o, err := typedOptions(ctx, sub, newRuntimeCmd, args)
	if err != nil {
		return err
	}
	r, err := sub.scoreRunTimes(ctx, o)
	if err != nil {
		return err
	}
	sub.warnAll(o.input, r.Warnings)
	l.scores = r
	return nil
}

func (l *reportLog) runPredict(ctx context.Context, a *app) error {
	flags := []string{"--calibration", "--seed", strconv.FormatUint(l.o.seed, 10), "--plots", picturesFolder}
	if n := l.o.waits; n > 0 && l.describe.Jobs > int64(n) {
		flags = append(flags, "--first-jobs", strconv.Itoa(n))
	}
	sub, args, done := l.step(a, predictReport, "predict", flags...)
	defer done()
	o, err := typedOptions(ctx, sub, newPredictCmd, args)
	if err != nil {
		return err
	}
	w := o.waits()
	w.Pictures = true
	r, err := sub.scoreWaits(ctx, o.input, w)
	if err != nil {
		return err
	}
	sub.tell(o.input, present.WaitRemarks(r))
	l.waited = r
	return nil
}
