package em

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Gammas are the Gamma laws of x > 0 that components are chosen from, in two
// coordinates without bounds, in which SQUAREM extrapolates and starts are made:
// place, ln of the mean, and spread, -ln of the shape.
type Gammas struct {
	Resolution func(x float64) float64 // width of a rounding cell at x, 0 for none
	// Shaped says that the shapes are given: those that a start has.
	Shaped bool
	// Shape is that of all components of the starts; 0 for the likeliest.
	Shape float64
}

// HighestShape bounds a component's relative spread, 1/sqrt(shape), where
// the sample is not rounded: no component is narrower than 0.3 % of its mean.
// The highest published shape is 6,190 (Lublin and Feitelson 2003, table 4).
const HighestShape = 1e5

// MaxShape is the bound on the shape of a component of that mean. Without it
// the likelihood of a sample with ties has no maximum: a component that
// shrinks onto one value gains without end. Its standard deviation,
// mean/sqrt(shape), is kept at or above that of a rounding cell at its mean,
// width/sqrt(12): rounded data know nothing of narrower things. For ln of
// seconds, rounded to 1 s, this is 0.14 at 2 s and 0.00029 at 1000 s, where
// HighestShape is the tighter bound.
func (g Gammas) MaxShape(mean float64) float64 {
	width := g.Resolution(mean)
	return min(HighestShape, 12*(mean/width)*(mean/width))
}

// Maximise is the M step of one component: the Gamma of maximum likelihood,
// bounded as MaxShape says. The likelihood must not fall: the bound moves with the
// law, and where old is likelier, it returns old.
func (g Gammas) Maximise(s GammaSums, old dist.Gamma) dist.Gamma {
	if !(s.W > 0) {
		return old
	}
	if g.Shaped {
		return dist.Gamma{Shape: old.Shape, Scale: s.Mean() / old.Shape}
	}
	law, bound := g.bounded(s)
	if bound && s.LogLikelihood(law) < s.LogLikelihood(old) {
		return old
	}
	return law
}

// bounded is the Gamma of maximum likelihood whose shape is at most MaxShape
// of its mean; bound says that it would be higher.
func (g Gammas) bounded(s GammaSums) (law dist.Gamma, bound bool) {
	mean := s.Mean()
	shape := gammaShape(math.Log(mean) - s.LnX/s.W)
	if limit := g.MaxShape(mean); shape > limit {
		shape, bound = limit, true
	}
	return dist.Gamma{Shape: shape, Scale: mean / shape}, bound
}

// Of returns the likeliest Gamma of the values, or that of the given Shape.
func (g Gammas) Of(p *Points, from, to int) dist.Gamma {
	var s GammaSums
	for i := from; i < to; i++ {
		s.add(p.X[i], p.LnX[i], p.W[i])
	}
	law, _ := g.bounded(s)
	if g.Shape > 0 {
		law = dist.Gamma{Shape: g.Shape, Scale: law.Mean() / g.Shape}
	}
	return law
}

// Coordinates returns ln mean and -ln shape.
func (g Gammas) Coordinates(law dist.Gamma) (place, spread float64) {
	return math.Log(law.Mean()), -math.Log(law.Shape)
}

// At returns the Gamma with these coordinates, or with the nearest spread that the
// bounds allow; -Inf is the narrowest. A shape that is given is near's. ok is false
// where there is none.
func (g Gammas) At(place, spread float64, near dist.Gamma) (law dist.Gamma, ok bool) {
	mean, shape := math.Exp(place), math.Exp(-spread)
	if !(mean > 0) || math.IsInf(mean, 1) || !(shape > 0) {
		return dist.Gamma{}, false
	}
	if g.Shaped {
		shape = near.Shape
	} else {
		shape = min(shape, g.MaxShape(mean))
	}
	law = dist.Gamma{Shape: shape, Scale: mean / shape}
	return law, law.Validate() == nil
}

// nearBound is how close to its bound a shape counts as at it.
const nearBound = 0.999

// Narrowest says whether the shape is at its bound.
func (g Gammas) Narrowest(law dist.Gamma) bool {
	return !g.Shaped && law.Shape >= nearBound*g.MaxShape(law.Mean())
}

// Width returns the relative standard deviation.
func (g Gammas) Width(law dist.Gamma) float64 { return 1 / math.Sqrt(law.Shape) }

// Spreads are the narrowest, and a tenth of the mean.
func (g Gammas) Spreads() []float64 {
	if g.Shaped {
		return []float64{0} // the shape is the near one's
	}
	return []float64{math.Inf(-1), -math.Log(100)}
}

// gammaDensity is one law in an E step.
type gammaDensity struct{ dist.GammaDensity }

func newGammaDensity(law dist.Gamma) gammaDensity { return gammaDensity{dist.NewGammaDensity(law)} }

// values writes to out lnWeight plus the log-densities of the values from the
// given one on.
func (d gammaDensity) values(lnWeight float64, p *Points, from int, out []float64) {
	density := d.GammaDensity
	x, lnX := p.X[from:from+len(out)], p.LnX[from:from+len(out)]
	for i := range out {
		out[i] = lnWeight + density.At(x[i], lnX[i])
	}
}

// gather adds to s the values from the given one on, of which share jobs each
// are the component's.
func gather(s *GammaSums, p *Points, from int, share []float64) {
	sum := *s
	x, lnX := p.X[from:from+len(share)], p.LnX[from:from+len(share)]
	for i, w := range share {
		sum.W += w
		sum.X += w * x[i]
		sum.LnX += w * lnX[i]
	}
	*s = sum
}
