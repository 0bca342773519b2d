package generate

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// What Options add to a model that has no such part. The numbers are the
// project's own; a model file says others.
const (
	bagLargest       = 10_000 // tasks
	userExponent     = 1
	userApplications = 5
	sessionAgain     = 0.5
	sessionThink     = 600   // s, mean
	sessionThinkMax  = 28800 // s
	estimateFactor   = 5     // of Sonmez and others (2009)
)

// apply returns the model as the options alter it. The classes are copied.
func (o Options) apply(s model.Site) (model.Site, error) {
	s.Classes = append([]model.Class(nil), s.Classes...)
	for i := range s.Classes {
		if err := o.applyTo(&s.Classes[i]); err != nil {
			return s, err
		}
	}
	if o.Users > 0 {
		users := model.Users{Exponent: userExponent, Applications: userApplications}
		if s.Users != nil {
			users = *s.Users
		}
		users.Count = o.Users
		s.Users = &users
	}
	if o.Sessions && s.Sessions() == nil {
		if s.Users == nil {
			return s, optionError("sessions", "without users", "`users` with it")
		}
		users := *s.Users
		users.Sessions = &model.Sessions{Again: sessionAgain, Think: dist.Exponential{Mean: sessionThink}, Max: sessionThinkMax}
		s.Users = &users
	}
	return s, nil
}

func (o Options) applyTo(c *model.Class) error {
	a := &c.Arrivals
	if o.Cycle == Off && o.Method != "" && o.Method != model.Stationary {
		return optionError("cycle", fmt.Sprintf("off, but `method` is %s", o.Method), "on, or no `method`")
	}
	if o.Cycle == Off || o.Method == model.Stationary {
		*a = a.WithoutCycle()
	}
	if o.Cycle == On && a.Cycle == nil {
		return optionError("cycle", fmt.Sprintf("on, but class %s of the model has no daily cycle", c.Name), "off, or a model whose arrivals have cycle or day")
	}
	if o.Method != "" && o.Method != model.Stationary {
		if a.Cycle == nil {
			return optionError("method", fmt.Sprintf("%s, but class %s of the model has no daily cycle", o.Method, c.Name), string(model.Stationary)+", or a model whose arrivals have cycle or day")
		}
		if _, ln := a.Gaps.(model.LnGaps); o.Method.ByShape() && !ln {
			return optionError("method", fmt.Sprintf("%s, but the interarrival times of class %s have a distribution of seconds, not of their logarithm", o.Method, c.Name), string(model.SlotWeights))
		}
		a.Method = o.Method
		if o.Method.ByShape() {
			if _, err := a.Shapes(); err != nil {
				return optionError("method", fmt.Sprintf("%s, but for class %s: %v", o.Method, c.Name, err), string(model.SlotWeights))
			}
		}
	}
	switch {
	case o.Week == Off:
		a.Week = nil
	case o.Week == On && a.Week == nil:
		return optionError("week", fmt.Sprintf("on, but class %s of the model has no weekly cycle", c.Name), "off, or a model whose arrivals have week")
	}
	if o.Bursts > 0 {
		if a.Method.ByShape() {
			return optionError("bursts", fmt.Sprintf("%g with `method` %s", o.Bursts, a.Method), fmt.Sprintf("`method` %s or %s", model.SlotWeights, model.Stationary))
		}
		a.Bursts = model.GammaRenewal{Index: o.Bursts}
	}
	if o.BagSize > 0 {
		a.Bags = geometricBags(o.BagSize)
	}
	return o.applyEstimates(c)
}

func (o Options) applyEstimates(c *model.Class) error {
	fail := func(option, why, want string) error {
		return optionError(option, fmt.Sprintf("%s, but class %s of the model %s", o.Estimates, c.Name, why), want)
	}
	switch o.Estimates {
	case "":
		return nil
	case EstimatesNone:
		c.Estimates = nil
		return nil
	}
	switch {
	case c.Malleable != nil:
		return fail("estimates", "is of malleable jobs", "none")
	case o.Estimates == EstimatesOfModel && c.Estimates == nil:
		return fail("estimates", "has none", "none, tsafrir, uniform, or a model fitted to a log with requested times")
	case o.Estimates == EstimatesUniform:
		e, ok := c.Estimates.(model.UniformEstimates)
		if !ok {
			e.Factor = estimateFactor
		}
		if o.EstimateFactor > 0 {
			e.Factor = o.EstimateFactor
		}
		c.Estimates = e
	case o.Estimates == EstimatesTsafrir:
		e, ok := c.Estimates.(model.TsafrirEstimates)
		if !ok && o.MaxEstimate == 0 {
			return fail("estimates", "does not say the largest", "max-estimate too, the longest run time that the machine allows, in seconds, such as 64800")
		}
		if o.MaxEstimate > 0 {
			e.Max = o.MaxEstimate
		}
		c.Estimates = e
	}
	return nil
}

// geometricBags are bags whose sizes are geometric: an exponential law rounded
// up. The mean is of bags not cut, which takes nothing off that matters.
func geometricBags(mean float64) *model.Bags {
	if mean == 1 {
		return nil
	}
	return &model.Bags{Size: dist.Exponential{Mean: -1 / math.Log1p(-1/mean)}, Max: bagLargest}
}
