package cli

import (
	"context"
	"strconv"

	"github.com/loadstone-hpc/loadstone/runtime"
)

// describeAll describes the log, by queue where it has any, and hour by hour
// where it is short.
func (l *reportLog) describeAll(ctx context.Context, a *app) error {
	interval := dayInterval
	for {
		err := l.runDescribe(ctx, a, interval, l.why["queues"] == "")
		switch d := l.description; {
		case err != nil && l.why["queues"] == "" && ctx.Err() == nil:
			l.why["queues"] = l.plain(err.Error()) // no queues, or something that the next try says
		case err != nil:
			return err
		case interval == dayInterval && d.LastSubmit-d.FirstSubmit < shortLog:
			interval = hourInterval
		default:
			return nil
		}
	}
}

func (l *reportLog) runDescribe(ctx context.Context, a *app, interval string, queues bool) error {
	flags := []string{"--section", "all", "--interval", interval}
	if queues {
		flags = append(flags, "--by", "queue_id")
	}
	sub, args, done := l.step(a, "describe", "describe", flags...)
	defer done()
	o, err := optionsOf(ctx, sub, newDescribeCmd, args)
	if err != nil {
		return err
	}
	if l.log, l.description, err = describeLog(ctx, sub, o); err != nil {
		return err
	}
	l.describe = describeResult(l.log, l.description, o).json.(describeJSON)
	return nil
}

func (l *reportLog) runValidate(ctx context.Context, a *app) error {
	sub, args, done := l.step(a, "validate", "validate")
	defer done()
	o, err := optionsOf(ctx, sub, newValidateCmd, args)
	if err != nil {
		return err
	}
	log, v, err := validateLog(ctx, sub, o)
	if err != nil {
		return err
	}
	l.validate = validateResult(log, v).json.(validateJSON)
	return nil
}

func (l *reportLog) runFit(ctx context.Context, a *app) error {
	flags := []string{"--site", siteFull, "--tests"}
	if n := l.o.replicates; n > 0 {
		flags = append(flags, "--replicates", strconv.Itoa(n), "--intervals", "0.95", "--seed", strconv.FormatUint(l.o.seed, 10))
	}
	sub, args, done := l.step(a, "fit", "fit", flags...)
	defer done()
	o, err := optionsOf(ctx, sub, newFitCmd, args)
	if err != nil {
		return err
	}
	fitted, err := fitLog(ctx, sub, o)
	if err != nil {
		return err
	}
	sub.noteFits(fitted.reports)
	sub.compareLoads(l.input, fitted.site.site, fitted.jobs)
	l.fitted = &fitted
	l.fit = fitResult(logJSON{fitted.log.Name, int(fitted.jobs.seen.jobs)}, o, fitted.reports, fitted.site).json.(fitJSON)
	return nil
}

func (l *reportLog) runLifetimes(ctx context.Context, a *app) error {
	sub, args, done := l.step(a, lifetimesReport, "fit", "--lifetimes", "all")
	defer done()
	o, err := optionsOf(ctx, sub, newFitCmd, args)
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
	o, err := optionsOf(ctx, sub, newRuntimeCmd, args)
	if err != nil {
		return err
	}
	r := &runtimeRun{a: sub, o: o}
	if err := r.prepare(); err != nil {
		return err
	}
	defer r.log.Close()
	if err := r.replay(ctx, func(*runtime.Row) error { return nil }); err != nil {
		return about(o.input, err)
	}
	if err := r.settle(); err != nil {
		return err
	}
	l.runtime, l.scores = r, r.result().json.(runtimeJSON)
	return r.plot()
}

func (l *reportLog) runPredict(ctx context.Context, a *app) error {
	sub, args, done := l.step(a, predictReport, "predict", "--calibration", "--seed", strconv.FormatUint(l.o.seed, 10), "--plots", picturesFolder)
	defer done()
	o, err := optionsOf(ctx, sub, newPredictCmd, args)
	if err != nil {
		return err
	}
	r := &predictRun{app: sub, o: o}
	for _, step := range []func(context.Context) error{r.survey, r.heads, r.queue, r.bounds} {
		if err := step(ctx); err != nil {
			return about(o.input, err)
		}
	}
	sub.warnAll(o.input, r.warnings.List())
	r.settle()
	l.predict, l.waited = r, r.result().json.(predictJSON)
	return r.plot()
}
