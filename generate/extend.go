package generate

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/model"
)

// estimateFactor is the factor of uniform estimates of a model that has none, of Sonmez
// and others (2009).
const estimateFactor = 5

// apply returns the model as the options alter it. The classes are copied.
func (o Options) apply(s model.Site) (model.Site, error) {
	s.Classes = append([]model.Class(nil), s.Classes...)
	for i := range s.Classes {
		if err := o.applyTo(&s.Classes[i]); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (o Options) applyTo(c *model.Class) error {
	a := &c.Arrivals
	if o.Method == model.Stationary {
		*a = a.WithoutCycle()
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
