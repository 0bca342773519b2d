package fit

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
	"github.com/loadstone-hpc/loadstone/stats"
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
func aboutStarts(f em.Found, quantity string, k int) []string {
	var warnings []string
	if !f.ByModes {
		warnings = append(warnings, fmt.Sprintf("the histogram of %s has no %d modes: started elsewhere", quantity, k))
	} else if f.Gain > 0.5 {
		warnings = append(warnings, fmt.Sprintf("local optima: the start from the minima of the histogram ended with a log-likelihood about %.1f lower than the best start", f.Gain))
	}
	if f.Spike {
		warnings = append(warnings, "a likelier but degenerate fit was rejected: its narrowest component covers a single repeated value")
	}
	return warnings
}

// aboutBounds are the warnings of components that are as narrow as is allowed.
func (t task) aboutBounds(m *em.Mixture, components []dist.WeightedGamma) []string {
	var warnings []string
	for i, c := range components {
		if m.Laws.Narrowest(c.Law) {
			warnings = append(warnings, fmt.Sprintf("component %d (share %.3g) is at the minimum width, near %s = %.6g: probably repeated values, not a mode",
				i+1, c.Weight, t.attribute, min(t.options.Transform.Invert(c.Law.Mean()), math.MaxFloat64)))
		}
	}
	return warnings
}

// TriedComponents is one of the numbers of components among which
// Options.ChooseComponents chose.
type TriedComponents struct {
	Components    int          `json:"components"`
	LogLikelihood stats.Number `json:"log_likelihood"` // of the attribute itself, as Report.LogLikelihood
	BIC           stats.Number `json:"bic"`
	Status        Status       `json:"status"`
}

// mostComponents is how many components are tried.
const mostComponents = 5

// chooseComponents fits mixtures of one component, two and so on, and takes
// the one of the lowest BIC. It ends where two numbers in a row are worse than
// the best, or where the sample does not determine more. BIC is consistent
// for the number of components of a mixture (Keribin 2000); on a long log,
// whose run times no mixture of a few Gammas fits, it goes on choosing more.
func (t task) chooseComponents() (outcome, error) {
	var (
		best  emFit
		tried []TriedComponents
		least = math.Inf(1)
		at    int
		bics  []string
	)
	per := 0.0 // what is added for a log-likelihood of the attribute itself
	for i, v := range t.sample.Values {
		per += t.sample.Counts[i] * t.options.Transform.logJacobian(v)
	}
	n := float64(t.sample.Jobs())
	for k := 1; k <= mostComponents; k++ {
		f, err := t.em(k)
		if err != nil {
			var degenerate *DegenerateError
			if k > 1 && errors.As(err, &degenerate) {
				break // what fewer components came to stands
			}
			return outcome{}, err
		}
		l := f.problem.LogLikelihood(f.Components) + per
		bic := float64(t.parameters(k))*math.Log(n) - 2*l
		tried = append(tried, TriedComponents{k, stats.Number(l), stats.Number(bic), statusOf(f.Ending)})
		bics = append(bics, fmt.Sprintf("%d: %.1f", k, bic))
		if bic < least {
			best, least, at = f, bic, k
		}
		if k >= at+2 {
			break
		}
	}
	if at == 0 {
		return outcome{}, t.degenerate("no number of components has a likelihood")
	}
	out, err := t.mixtureOutcome(best)
	if err != nil {
		return outcome{}, err
	}
	out.tried = tried
	chosen := "component was"
	if at > 1 {
		chosen = "components were"
	}
	out.warnings = append(out.warnings, fmt.Sprintf("%d %s chosen by BIC, which is by number: %s", at, chosen, strings.Join(bics, ", ")))
	if at == mostComponents {
		out.warnings = append(out.warnings, fmt.Sprintf("the most components allowed, %d, have the lowest BIC: more may be better", mostComponents))
	}
	return out, nil
}
