package em

import (
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// Found is what Fit finds.
type Found struct {
	End
	ByModes bool // the histogram has as many modes as there are components
	// Gain is by how much the log-likelihood of the end that is taken is above
	// that of the first start's, on the pressed sample.
	Gain  float64
	Spike bool // a likelier end, with a component at its bound, was left
}

// Fit fits a mixture of k components from all starts, among them those grown
// from as many mixtures of one component less as bases says, 0 for none. Samples
// of many values are pressed while starts are compared, and the best end is then
// improved on the whole sample.
//
// An end with a component as narrow as is allowed is an atom of the data and not a
// mode, and is taken only if there is no other. ok is false where a component dies from every start.
func (m *Mixture) Fit(k, bases int) (f Found, ok bool) {
	pressed := m.Points.Press()
	if f, ok = m.fitFrom(pressed, k, bases); !ok && pressed.Len() < m.Points.Len() {
		f, ok = m.fitFrom(m.Points, k, bases) // what dies in the pressed sample need not in the whole
	}
	return f, ok
}

// fitFrom is Fit with the starts compared on a sample.
func (m *Mixture) fitFrom(sample Points, k, bases int) (f Found, ok bool) {
	rough := m.On(sample)
	starts, byModes := rough.Starts(k)
	if bases > 0 {
		starts = append(starts, rough.grown(k, bases)...)
	}
	ends := make([]End, len(starts))
	par.Each(m.Workers, len(starts), func(i int) { ends[i] = m.On(sample).Run(starts[i], Rough()) })
	best, ok := m.finish(ends)
	if !ok {
		return f, false
	}
	return Found{End: best.End, ByModes: byModes, Gain: best.rough - ends[0].LogLikelihood, Spike: best.spike}, true
}
