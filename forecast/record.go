package forecast

import (
	"context"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// recordDraws is how many schedules "drawn" simulates for each job that is judged.
const recordDraws = evaluate.DefaultArrivalDraws

// drawSample draws the jobs of the history that predictors are judged on.
func (a *asked) drawSample() error {
	s, err := evaluate.DrawSample(a.past.all, a.q.Judged, a.q.Seed, nil)
	if err != nil {
		return err
	}
	s.Expect(a.q.Predictors, len(a.q.Quantiles))
	a.sample = s
	return nil
}

// judge records the forecasts of the predictors that look at the machine for the sample,
// fills in what all predictors covered, and recommends one for each size.
func (a *asked) judge(ctx context.Context) error {
	if a.sample.Jobs() == 0 {
		return nil
	}
	by, err := workload.ParseClasses(a.q.Classes, pastColumns)
	if err != nil {
		return err
	}
	trim := a.q.Trim
	if trim == 0 {
		trim = -1 // as fit.Options has none
	}
	o := evaluate.StandingOptions{
		Processors: a.machine.Processors, Policy: a.policy, Draws: min(a.q.Draws, recordDraws), Seed: a.q.Seed,
		Quantiles: a.q.Quantiles, Confidence: a.q.Confidence,
		Lifetimes: predict.LifetimesConfig{By: by, Family: a.q.Law, Options: fit.Options{Trim: trim}}, Limits: a.q.Limits,
	}
	for _, name := range a.q.Predictors {
		// Predictors without a prediction for the request are not judged.
		if !fromPastWaits(name) && slices.ContainsFunc(a.out.Predictions, func(p Prediction) bool { return p.Predictor == name && len(p.Bounds) > 0 }) {
			o.Predictors = append(o.Predictors, name)
		}
	}
	if err := a.sample.Ask(ctx, a.past.all, o); err != nil {
		return err
	}
	last := 0 // the largest quantile
	scores := make([][]evaluate.ArrivalScore, len(a.q.Quantiles))
	for k, q := range a.q.Quantiles {
		scores[k], _ = a.sample.Scores(k, q)
		if q > a.q.Quantiles[last] {
			last = k
		}
	}
	a.out.Record = &Record{Jobs: a.sample.Jobs(), Of: a.sample.Of(), Quantile: a.q.Quantiles[last], Draws: o.Draws, Kept: true}
	for i := range a.out.Predictions {
		p := &a.out.Predictions[i]
		for k := range p.Bounds {
			s := scoreOf(scores[k], p.Predictor)
			p.Bounds[k].Coverage, p.Bounds[k].Jobs, p.Bounds[k].Loss = s.Coverage, s.Bounded, s.CommonLoss
		}
	}
	// On an empty machine a request starts at once, and a bound from past waits would mislead.
	if a.sample.Jobs() < score.StretchJobs || a.out.State.Empty() {
		return nil
	}
	for _, size := range a.q.Sizes {
		a.recommend(size, last, scores[last])
	}
	return nil
}

func scoreOf(scores []evaluate.ArrivalScore, predictor string) *evaluate.ArrivalScore {
	return &scores[slices.IndexFunc(scores, func(s evaluate.ArrivalScore) bool { return s.Predictor == predictor })]
}

// recommend marks the recommended prediction of a size, as Record says.
func (a *asked) recommend(size int64, quantile int, scores []evaluate.ArrivalScore) {
	var best *Prediction
	var of score.BoundRecord
	for i := range a.out.Predictions {
		p := &a.out.Predictions[i]
		if p.Processors != size || len(p.Bounds) == 0 || math.IsNaN(float64(p.Bounds[quantile].Seconds)) {
			continue
		}
		s := scoreOf(scores, p.Predictor)
		if 2*s.Bounded < s.Jobs {
			continue
		}
		r := score.BoundRecord{Quantile: a.q.Quantiles[quantile], Coverage: float64(s.Coverage), Loss: float64(s.CommonLoss)}
		if best == nil || r.Better(of) {
			best, of = p, r
		}
	}
	if best != nil {
		best.Recommended = true
		a.out.Record.Kept = a.out.Record.Kept && of.Kept()
	}
}

// first returns 1 if recommended, else 0, to sort by.
func first(recommended bool) int {
	if recommended {
		return 1
	}
	return 0
}
