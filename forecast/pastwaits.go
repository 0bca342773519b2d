package forecast

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// byPastWaits is a bound from past waits.
func (a *asked) byPastWaits(name string) error {
	o := predict.BoundOptions{Changes: a.q.Changes}
	if len(a.q.Groups) > 0 {
		var err error
		if o.Groups, err = workload.ClassesOf(a.q.Groups, pastColumns); err != nil {
			return err
		}
	}
	var predictors []predict.BoundPredictor
	for _, level := range a.q.Quantiles {
		p, err := predict.NewBound(name, level, a.q.Confidence, o)
		if err != nil {
			return err
		}
		predictors = append(predictors, p)
	}
	if a.past.waits == 0 {
		a.missAll(name, "the history has no waits")
		return nil
	}
	for _, err := range predict.Bounds(a.past.all, 0, predictors) {
		if err != nil {
			return err
		}
	}
	for i := range a.requests {
		r := &a.requests[i]
		var bounds []predict.Bound
		some := false
		for _, p := range predictors {
			b, ok := p.Predict(*r)
			bounds, some = append(bounds, b), some || ok
		}
		if !some {
			a.miss(name, r.Size, fmt.Sprintf("%d past waits of group %s, too few", bounds[0].Observations, bounds[0].Group))
			continue
		}
		a.row(r.Size, name, math.NaN(), bounds, bounds[0].Observations)
	}
	return nil
}
