package live

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// PlanName names the answers of simulated schedules, as those of standing.Drawn.
const PlanName = standing.Drawn

var unknown = stats.Number(math.NaN())

// Wait answers a question. The error is a *workload.OptionError if the machine
// or the partition cannot run such a job or the partition or queue is unknown,
// and ErrNotReady before the first state.
func (s *Service) Wait(ctx context.Context, q Question) (*Answer, error) {
	v := s.view.Load()
	if v == nil {
		return nil, ErrNotReady
	}
	r, err := s.request(v, &q)
	if err != nil {
		return nil, err
	}
	a := &Answer{Schema: AnswerSchema, State: s.momentNow(v), Request: q.request(), Expected: unknown, Predictions: []Prediction{}, LeftOut: []LeftOut{}}
	a.PastWaits = s.pastWaits(&r)
	if a.Withheld = v.withheld(&a.State, &r, false); a.Withheld == nil {
		if err := s.predict(a, v, &r); err != nil {
			return nil, err
		}
	}
	if u := q.User; u != "" && r.User == workload.Unknown {
		a.Warnings = append(a.Warnings, workload.Warning{Rule: "unseen-user", Text: "no job of this user is known: the answer is for any user", Count: 1})
	}
	return a, nil
}

// predict enters the predictions, the recommended one first.
func (s *Service) predict(a *Answer, v *view, r *workload.Request) error {
	bounds, err := s.engine.predictors.ask(*r)
	if err != nil {
		return err
	}
	s.answerBounds(a, v, bounds)
	s.answerPlan(a, v, r)
	slices.SortStableFunc(a.Predictions, func(x, y Prediction) int { return order(y.Recommended) - order(x.Recommended) })
	if len(a.Predictions) == 0 || !a.Predictions[0].Recommended {
		return nil
	}
	best := &a.Predictions[0]
	a.Recommended, a.Expected, a.Start = best.Predictor, best.Expected, after(a.State.Time, float64(best.Expected))
	return nil
}

// answerBounds enters the bounds from past waits.
func (s *Service) answerBounds(a *Answer, v *view, bounds []predict.Bound) {
	levels := len(s.o.Quantiles)
	for i, name := range s.o.Predictors {
		p := s.prediction(v, name, i*levels, bounds[i*levels:(i+1)*levels], a.State.Time)
		p.Age = a.State.Age
		if !slices.ContainsFunc(p.Bounds, func(b Bound) bool { return !math.IsNaN(float64(b.Seconds)) }) {
			why := fmt.Sprintf("%d past waits of such jobs are known: too few for a bound", p.Observations)
			if name == "qbets" && math.IsNaN(float64(a.Request.Time)) {
				why = "it groups past waits by requested time, and the request has none"
			}
			a.LeftOut = append(a.LeftOut, LeftOut{name, why})
			continue
		}
		a.Predictions = append(a.Predictions, p)
	}
}

// prediction is that of one predictor, whose slots begin at first. Waits are from at. It
// raises bounds below those of smaller quantiles.
func (s *Service) prediction(v *view, name string, first int, bounds []predict.Bound, at time.Time) Prediction {
	p := Prediction{Predictor: name, Recommended: name == v.scores.Recommended, Expected: unknown, Bounds: []Bound{}}
	predict.Ascend(bounds)
	for k, b := range bounds {
		p.Bounds = append(p.Bounds, Bound{
			Quantile: s.o.Quantiles[k], Seconds: stats.Number(b.Seconds), By: after(at, b.Seconds),
			Achieved: stats.Number(b.Achieved), Coverage: v.scores.Bounds[first+k].Coverage,
		})
		if s.o.Quantiles[k] == 0.5 {
			p.Expected = stats.Number(b.Seconds)
		}
		p.Observations, p.Group = b.Observations, b.Group
	}
	return p
}

// answerPlan enters what the simulated schedules say.
func (s *Service) answerPlan(a *Answer, v *view, r *workload.Request) {
	if v.plan == nil {
		a.LeftOut = append(a.LeftOut, LeftOut{PlanName, "no schedule has been simulated yet"})
		return
	}
	w, err := v.plan.Wait(*r)
	if err != nil {
		a.LeftOut = append(a.LeftOut, LeftOut{PlanName, err.Error()})
		return
	}
	bounds := make([]predict.Bound, len(w.Bounds))
	for k := range bounds {
		bounds[k] = predict.NoBound()
		bounds[k].Quantile, bounds[k].Seconds, bounds[k].Observations = s.o.Quantiles[k], float64(finite(w.Bounds[k])), v.plan.Draws
	}
	p := s.prediction(v, PlanName, len(s.engine.slots), bounds, a.State.Time)
	p.Expected, p.Age = finite(w.Expected), a.State.Age+stats.Number(v.at-w.At)
	a.Predictions = append(a.Predictions, p)
}

// after is a moment some seconds later; nil where that is not known, or centuries later.
func after(at time.Time, seconds float64) *time.Time {
	if !(math.Abs(seconds) < longest) {
		return nil
	}
	t := at.Add(time.Duration(seconds) * time.Second)
	return &t
}

// finite is a number, NaN where it is infinite.
func finite(x float64) stats.Number {
	if math.IsInf(x, 0) {
		return unknown
	}
	return stats.Number(x)
}

func order(first bool) int {
	if first {
		return 1
	}
	return 0
}
