package score

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// unitsOf is the model's own time for a class, nil where there is no model of
// it; for nil, of a site with one class.
func (p *Profile) unitsOf(value *int64) (units func(float64) float64, slack float64) {
	if p.options.Model == nil {
		return nil, 0
	}
	for _, c := range p.options.Model.Classes {
		if value == nil && len(p.options.Model.Classes) == 1 || value != nil && c.Column != "" && c.Value == *value {
			weights, ok := c.Arrivals.Weights()
			if !ok {
				return nil, 0
			}
			week := evenWeek
			if c.Arrivals.Week != nil {
				week = *c.Arrivals.Week
			}
			return unitsByWeights(weights, week, p.options.Clock), slices.Max(weights[:]) * slices.Max(week[:])
		}
	}
	return nil, 0
}

var evenWeek = [model.Weekdays]float64{1, 1, 1, 1, 1, 1, 1}

// unitsByWeights is the time in which a second of a half hour counts as much
// as its weight, times that of its day of the week: what package generate's
// arrivals are drawn in. It takes every day to be of 24 hours.
func unitsByWeights(weights [model.Slots]float64, week [model.Weekdays]float64, clock workload.Clock) func(float64) float64 {
	const all = model.Weekdays * model.Slots
	var weight [all]float64
	var upTo [all + 1]float64
	for i := range weight {
		weight[i] = week[i/model.Slots] * weights[i%model.Slots]
		upTo[i+1] = upTo[i] + model.SlotSeconds*weight[i]
	}
	t := clock.At(0)
	begin := float64(86400*int(t.Weekday()) + 3600*t.Hour() + 60*t.Minute() + t.Second())
	return func(seconds float64) float64 {
		weeks := math.Floor((begin + seconds) / (all * model.SlotSeconds))
		at := begin + seconds - weeks*all*model.SlotSeconds
		slot := min(int(at/model.SlotSeconds), all-1)
		return weeks*upTo[all] + upTo[slot] + (at-float64(slot*model.SlotSeconds))*weight[slot]
	}
}
