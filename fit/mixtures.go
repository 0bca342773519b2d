package fit

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// statusOf is the Status of a run of EM.
func statusOf(e em.Ending) Status {
	switch e {
	case em.Converged:
		return Converged
	case em.ComponentLost:
		return ComponentLost
	}
	return IterationLimit
}

// lostFromAll says that k components are too many.
func lostFromAll(k int) string {
	return fmt.Sprintf("from every start a component dies: want fewer than %d", k)
}

// aboutStarts are the warnings of a fit of k components to a quantity.
func aboutStarts[L dist.Component](f em.Found[L], quantity string, k int) []string {
	var warnings []string
	if !f.ByModes {
		warnings = append(warnings, fmt.Sprintf("the histogram of %s has no %d modes: started elsewhere", quantity, k))
	} else if f.Gain > 0.5 {
		warnings = append(warnings, fmt.Sprintf("local optima: from the minima of the histogram the log-likelihood ends about %.1f below that from the start that is kept", f.Gain))
	}
	if f.Spike {
		warnings = append(warnings, "a likelier fit was left for this one: its narrowest component stands on one value that is repeated")
	}
	return warnings
}

// aboutBounds are the warnings of components that are as narrow as is allowed.
// attribute returns the attribute at the place of a law.
func aboutBounds[L dist.Component](t task, m *em.Mixture[L], components []dist.Weighted[L], attribute func(L) float64) []string {
	var warnings []string
	for i, c := range components {
		if m.Kernel.Narrowest(c.Law) {
			warnings = append(warnings, fmt.Sprintf("component %d (share %.3g) is as narrow as is allowed, about %s = %.6g: values repeated there rather than a mode",
				i+1, c.Weight, t.attribute, min(attribute(c.Law), math.MaxFloat64)))
		}
	}
	return warnings
}
