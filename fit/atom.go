package fit

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Atom is a component of a fitted mixture that covers a single repeated value, such as
// a run time that hundreds of jobs share. The narrower such a component is, the larger
// is the likelihood, without limit, so the likelihood of the fit says little about the
// other jobs. Report.Atoms has those of a fit.
type Atom struct {
	Component int     `json:"component"` // its number, from 1, in the order of the law
	Share     float64 `json:"share"`     // its weight in the mixture, from 0 to 1
	Value     float64 `json:"value"`     // the repeated value, in the unit of the attribute
	Jobs      int64   `json:"jobs"`      // how many jobs have that value
}

func (a Atom) String() string {
	return fmt.Sprintf("component %d (share %.3g) covers a single repeated value, %.6g, of %d jobs", a.Component, a.Share, a.Value, a.Jobs)
}

// atomShare is the share of a component's jobs from which one value is what
// the component stands on.
const atomShare = 0.5

// atoms finds the components of a mixture half of whose jobs, or more, have
// one value, each job shared among the components by their densities there.
func (t task) atoms(law dist.Law) []Atom {
	var parts []dist.Law
	var shares []float64
	switch l := law.(type) {
	case dist.HyperGamma, dist.GammaMixture:
		for _, c := range componentsOf(l) {
			parts, shares = append(parts, c.Law), append(shares, c.Weight)
		}
	}
	if len(parts) < 2 {
		return nil
	}
	total := float64(t.sample.Jobs())
	most := make([]Atom, len(parts))
	expected := make([]float64, len(parts)) // jobs of the component at that value
	densities := make([]func(float64) float64, len(parts))
	for k, p := range parts {
		densities[k] = dist.LogDensity(p)
	}
	at := make([]float64, len(parts))
	for i, x := range t.x {
		sum := 0.0
		for k, density := range densities {
			at[k] = shares[k] * math.Exp(density(x))
			sum += at[k]
		}
		for k := range parts {
			if jobs := t.sample.Counts[i] * at[k] / sum; jobs > expected[k] {
				expected[k] = jobs
				most[k] = Atom{k + 1, shares[k], t.sample.Values[i], int64(t.sample.Counts[i])}
			}
		}
	}
	var found []Atom
	for k, a := range most {
		if a.Jobs > 1 && expected[k] >= atomShare*shares[k]*total {
			found = append(found, a)
		}
	}
	return found
}
