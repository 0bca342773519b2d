package em

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/points"
)

// Gammas is the kernel of Gamma laws of x > 0. Its statistics are x and ln x,
// its coordinates ln mean and -ln shape.
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

// Maximise returns the Gamma of maximum likelihood, bounded as MaxShape says.
func (g Gammas) Maximise(s Sums, old dist.Gamma) dist.Gamma {
	if !(s.W > 0) {
		return old
	}
	sums := GammaSums{s.W, s.A, s.B}
	if g.Shaped {
		return dist.Gamma{Shape: old.Shape, Scale: sums.Mean() / old.Shape}
	}
	law, bound := g.bounded(sums)
	if bound && sums.LogLikelihood(law) < sums.LogLikelihood(old) {
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
func (g Gammas) Of(p *points.Set, from, to int) dist.Gamma {
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

// At returns the Gamma with these coordinates.
func (g Gammas) At(place, spread float64, near dist.Gamma) (dist.Gamma, bool) {
	mean, shape := math.Exp(place), math.Exp(-spread)
	if !(mean > 0) || math.IsInf(mean, 1) || !(shape > 0) {
		return dist.Gamma{}, false
	}
	if g.Shaped {
		shape = near.Shape
	} else {
		shape = min(shape, g.MaxShape(mean))
	}
	law := dist.Gamma{Shape: shape, Scale: mean / shape}
	return law, law.Validate() == nil
}

// nearBound is how close to its bound a shape or a standard deviation counts
// as at it.
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

// Density returns what the E step asks of a Gamma law.
func (g Gammas) Density(law dist.Gamma) Density {
	return &gammaDensity{law, dist.NewGammaDensity(law)}
}

type gammaDensity struct {
	law     dist.Gamma
	density dist.GammaDensity
}

func (d *gammaDensity) Values(lnWeight float64, p *points.Set, from int, out []float64) {
	density := d.density
	x, lnX := p.X[from:from+len(out)], p.LnX[from:from+len(out)]
	for i := range out {
		out[i] = lnWeight + density.At(x[i], lnX[i])
	}
}

func (d *gammaDensity) Gather(s *Sums, p *points.Set, from int, share []float64) {
	sum := *s
	x, lnX := p.X[from:from+len(share)], p.LnX[from:from+len(share)]
	for i, w := range share {
		sum.W += w
		sum.A += w * x[i]
		sum.B += w * lnX[i]
	}
	*s = sum
}

func (d *gammaDensity) Narrow(p *points.Set, i int) (Moments, bool) {
	return narrowGamma(d.law, &d.density, p.X[i], p.LnX[i], p.HalfSquared[i], p.LnWidth[i])
}

// AtMost: the density of ln x is log-concave, so that it lies below its
// tangent at the middle of the cell. 0 for a cell without an end.
func (d *gammaDensity) AtMost(p *points.Set, i int) float64 {
	half := p.HalfSquared[i]
	if math.IsInf(half, 1) {
		return 0
	}
	x := p.X[i]
	return d.density.At(x, p.LnX[i]) + p.LnWidth[i] + math.Abs(d.law.Shape-x/d.law.Scale)*math.Sqrt(half)
}

func (d *gammaDensity) Cell(lo, hi float64) Moments { return GammaCell(d.law, lo, hi) }
