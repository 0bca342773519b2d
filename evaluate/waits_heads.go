package evaluate

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// heads scores Downey's predictors.
func (r *waits) heads(ctx context.Context) error {
	names := r.chosen(headNames())
	if len(names) == 0 {
		return nil
	}
	if r.o.Sites != nil {
		const why = "Downey's predictors model a single machine"
		r.remark("one-machine", "%s: %s left out, because each site is a separate machine", why, strings.Join(names, ", "))
		r.leaveOut(why+", and each site is a separate machine", names...)
		return nil
	}
	if r.o.Law == KernelLaw {
		const why = "the kernel distribution predicts only at submission"
		r.remark("no-law", "%s: %s left out", why, strings.Join(names, ", "))
		r.leaveOut(why, names...)
		return nil
	}
	r.simulated = true
	var err error
	if r.processors, err = r.machine(); err != nil {
		return err
	}
	lifetimes, updates, err := r.lifetimesOf(ctx)
	var undetermined *fit.DegenerateError
	if errors.As(err, &undetermined) && len(r.o.Predictors) > len(names) {
		r.remark("no-law", "%v: %s left out", err, strings.Join(names, ", "))
		r.leaveOut(err.Error(), names...)
		r.simulated = false
		return nil
	}
	if err != nil {
		return err
	}
	return r.scoreHeads(ctx, names, lifetimes, updates)
}

// lifetimesOf fits the lifetimes, or prepares those that follow the log.
func (r *waits) lifetimesOf(ctx context.Context) (predict.Lifetimes, *predict.PreviousLifetimes, error) {
	by, err := workload.ParseClasses(r.o.Classes, r.grouping())
	if err != nil {
		return nil, nil, err
	}
	c := predict.LifetimesConfig{By: by, Family: r.o.Law, Options: fit.Options{Trim: r.o.trim()}}
	switch {
	case r.o.Months == 0:
		f, err := predict.FitLifetimes(r.replay(ctx), r.processors, c)
		if err != nil {
			return nil, nil, err
		}
		r.lifetimes = predict.Summarize(&f.All)
		return f.Lifetimes, nil, nil
	}
	number := func(at float64) (int64, bool) {
		return int64(math.Floor(at / (workload.UndatedMonth * 86400 * float64(r.o.Months)))), true
	}
	if r.clock.Known {
		d, err := workload.Months(r.clock, r.o.Months)
		if err != nil {
			return nil, nil, err
		}
		number = d.Number
	}
	p, err := predict.NewPreviousLifetimes(r.processors, c, number)
	return p, p, err
}

// scoreHeads replays the log with the predictors of those names. updates, where
// it is not nil, are the lifetimes, which follow the log.
func (r *waits) scoreHeads(ctx context.Context, names []string, lifetimes predict.Lifetimes, updates *predict.PreviousLifetimes) error {
	predictors, names := r.headPredictors(lifetimes, names)
	config := predict.HeadConfig{Processors: r.processors, Predictors: predictors, Warnings: &r.odd, Updates: updates}
	r.tallies = r.newTallies(HeadWaits, func(string) bool { return false }, names)
	var needed score.NeededTally
	unknown := 0
	for row, err := range predict.AtHead(r.replay(ctx), config) {
		if err != nil {
			return err
		}
		if updates != nil && !updates.Known() {
			unknown++ // nothing to predict from yet
			continue
		}
		needed.Add(row.Needed, row.Benefactors)
		for i, p := range row.Predictions {
			if err := r.tallies[i].add(&row.Request, unbounded(p), row.Actual); err != nil {
				return err
			}
		}
	}
	r.needed = needed.Result()
	if updates != nil {
		return r.sameInterval(ctx, updates, unknown)
	}
	return nil
}

// headPredictors makes the predictors of those names, and the unbiased ones.
func (r *waits) headPredictors(l predict.Lifetimes, names []string) ([]predict.HeadPredictor, []string) {
	var predictors []predict.HeadPredictor
	for _, p := range predict.Downey(l) {
		if slices.Contains(names, p.Name()) {
			predictors = append(predictors, p)
		}
	}
	if r.o.Unbias {
		for _, p := range slices.Clone(predictors) {
			u := predict.NewUnbiased(p)
			predictors, names = append(predictors, u), append(names, u.Name())
		}
	}
	return predictors, names
}

// sameInterval scores the predictors once more, on the same heads, with the
// parameters of the interval itself: what those of another time lose to.
func (r *waits) sameInterval(ctx context.Context, before *predict.PreviousLifetimes, unknown int) error {
	same, err := before.Same()
	if err != nil {
		return err
	}
	predictors, _ := r.headPredictors(same, r.chosen(headNames()))
	tallies := make([]score.WaitTally, len(predictors))
	config := predict.HeadConfig{Processors: r.processors, Predictors: predictors, Updates: same}
	for row, err := range predict.AtHead(r.replay(ctx), config) {
		if err != nil {
			return err
		}
		if unknown > 0 {
			unknown--
			continue
		}
		for i, p := range row.Predictions {
			tallies[i].Add(p.Seconds, row.Actual)
		}
	}
	for i := range tallies {
		s := tallies[i].Result()
		r.tallies[i].same = &s
	}
	return nil
}
