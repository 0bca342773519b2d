package em

import (
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/points"
)

// Kernel is what EM needs to know of a family of laws. Its likelihood depends
// on a sample by the number of jobs and the sums of two statistics alone.
type Kernel[L dist.Component] interface {
	Space[L]
	// Density returns what the E step asks of a law.
	Density(law L) Density
	// Maximise is the M step of one component: the likeliest law of what s
	// sums up, within the family's bounds. The likelihood must not fall: where
	// a bound moves with the law and old is likelier, it returns old.
	Maximise(s Sums, old L) L
	// Of returns the likeliest law within the bounds of some of a sample's
	// values, taken as exact.
	Of(p *points.Set, from, to int) L
}

// Density is one law in an E step.
type Density interface {
	// Values writes to out lnWeight plus the log-densities of the values from
	// the given one on.
	Values(lnWeight float64, p *points.Set, from int, out []float64)
	// Gather adds to s the statistics of the values from the given one on, of
	// which share jobs each are the component's.
	Gather(s *Sums, p *points.Set, from int, share []float64)
	// Narrow is Cell for cell i of a sample; false where it is too wide for a
	// series. Of an exact value it gives the log-density.
	Narrow(p *points.Set, i int) (Moments, bool)
	// AtMost returns a bound on the logarithm of the probability of cell i.
	AtMost(p *points.Set, i int) float64
	// Cell returns what the law says of the cell [lo, hi).
	Cell(lo, hi float64) Moments
}

// Space is a family of laws in two coordinates without bounds: place, the
// logarithm of the mean or of the median, and spread, which rises with the
// relative width. SQUAREM extrapolates in it, and starts are made in it.
type Space[L dist.Component] interface {
	Coordinates(law L) (place, spread float64)
	// At returns the law with these coordinates, or with the nearest spread
	// that the bounds allow; -Inf is the narrowest. What a law has that is
	// given, and not estimated, is near's. ok is false where there is none.
	At(place, spread float64, near L) (law L, ok bool)
	// Narrowest says whether a law is as narrow as is allowed, or nearly so.
	Narrowest(law L) bool
	// Width returns the standard deviation of a law on the scale of places.
	Width(law L) float64
	// Spreads returns the spreads of the laws that are tried where a component
	// is added to a mixture.
	Spreads() []float64
}

// Moments are what a law says of a cell: the logarithm of its probability, and
// the means of the kernel's two statistics inside it.
type Moments struct {
	LnMass, A, B float64
}

// Sums are the jobs of a component, and the sums of the kernel's two
// statistics over them.
type Sums struct {
	W, A, B float64
}

func (s *Sums) merge(o Sums) {
	s.W += o.W
	s.A += o.A
	s.B += o.B
}
