package em

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// GammaSums holds the sums over a sample that determine the likelihood of a Gamma law. The zero
// value is an empty sample.
type GammaSums struct {
	W   float64 // sum of the weights: the number of jobs
	X   float64 // sum of the values
	LnX float64 // sum of their logarithms
}

// Add adds w jobs of value x > 0.
func (s *GammaSums) Add(x, w float64) { s.add(x, math.Log(x), w) }

func (s *GammaSums) add(x, lnX, w float64) {
	s.W += w
	s.X += w * x
	s.LnX += w * lnX
}

// merge adds the values of o.
func (s *GammaSums) merge(o GammaSums) {
	s.W += o.W
	s.X += o.X
	s.LnX += o.LnX
}

// Mean returns the mean of the values.
func (s GammaSums) Mean() float64 { return s.X / s.W }

// ML returns the Gamma law of maximum likelihood. Its scale is the mean over the shape, and its
// shape solves ln a - digamma(a) = ln(mean) - mean(ln). ok is false if there is none: no weight,
// or all values equal, for which the likelihood grows with the shape without end.
func (s GammaSums) ML() (law dist.Gamma, ok bool) {
	if !(s.W > 0) {
		return dist.Gamma{}, false
	}
	mean := s.Mean()
	shape := gammaShape(math.Log(mean) - s.LnX/s.W)
	law = dist.Gamma{Shape: shape, Scale: mean / shape}
	return law, valid(law)
}

// valid reports whether the parameters are finite and above 0. It is dist.Validate, for loops.
func valid(g dist.Gamma) bool {
	return g.Shape > 0 && g.Scale > 0 && !math.IsInf(g.Shape, 1) && !math.IsInf(g.Scale, 1)
}

// LogLikelihood returns the log-likelihood of the law g for the values seen.
func (s GammaSums) LogLikelihood(g dist.Gamma) float64 {
	lg, _ := math.Lgamma(g.Shape)
	return (g.Shape-1)*s.LnX - s.X/g.Scale - s.W*(lg+g.Shape*math.Log(g.Scale))
}

// spreadIsRounding is the value of ln(mean) - mean(ln) up to which it is rounding error. It
// corresponds to a shape of 1e13.
const spreadIsRounding = 5e-14

// gammaShape solves ln a - digamma(a) = s for a by Newton's method; +Inf if s is not above
// rounding error. The start is Minka's (2002), "Estimating a Gamma distribution", within 1.5 %
// everywhere.
func gammaShape(s float64) float64 {
	if !(s > spreadIsRounding) {
		return math.Inf(1)
	}
	a := (3 - s + math.Sqrt((s-3)*(s-3)+24*s)) / (12 * s)
	for range 50 {
		// The left side decreases with a; its derivative is -(trigamma - 1/a).
		next := a + (num.LnMinusDigamma(a)-s)/num.TrigammaMinusInverse(a)
		if next <= 0 {
			next = a / 2
		}
		if math.Abs(next-a) <= 1e-13*a {
			return next
		}
		a = next
	}
	return a
}

// Gammas describes the Gamma laws of x > 0 that components may have. They have two unbounded
// coordinates, in which SQUAREM extrapolates: place, ln of the mean, and spread, -ln of the
// shape.
type Gammas struct {
	Resolution func(x float64) float64 // width of a rounding cell at x, 0 for none
	// Shaped keeps the shapes of a start.
	Shaped bool
	// Shape is the shape of all components of the starts; 0 for the likeliest.
	Shape float64
}

// HighestShape limits a component's relative spread, 1/sqrt(shape), if the sample is not rounded:
// no component is narrower than 0.3 % of its mean. The highest published shape is 6,190 (Lublin
// and Feitelson 2003, table 4).
const HighestShape = 1e5

// MaxShape returns the largest shape of a component with the given mean. Without this bound the
// likelihood of a sample with ties has no maximum: it grows without end as a component shrinks
// onto one value. The standard deviation, mean/sqrt(shape), is kept at or above that of a
// rounding cell at the mean, width/sqrt(12), because rounded data contain no information on
// narrower components. For ln of seconds, rounded to 1 s, this is 0.14 at 2 s and 0.00029 at 1000
// s, where HighestShape is the tighter bound.
func (g Gammas) MaxShape(mean float64) float64 {
	width := g.Resolution(mean)
	return min(HighestShape, 12*(mean/width)*(mean/width))
}

// maximise is the M step of one component. It returns the Gamma law of maximum likelihood, with
// its shape at most MaxShape. The likelihood must not decrease: the bound changes with the law,
// so if old is likelier, maximise returns old.
func (g Gammas) maximise(s GammaSums, old dist.Gamma) dist.Gamma {
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

// bounded returns the Gamma law of maximum likelihood with a shape of at most MaxShape of its
// mean. bound reports whether the shape would be higher without that bound.
func (g Gammas) bounded(s GammaSums) (law dist.Gamma, bound bool) {
	mean := s.Mean()
	shape := gammaShape(math.Log(mean) - s.LnX/s.W)
	if limit := g.MaxShape(mean); shape > limit {
		shape, bound = limit, true
	}
	return dist.Gamma{Shape: shape, Scale: mean / shape}, bound
}

// of returns the likeliest Gamma law for the values from index from up to to, with the given
// Shape if there is one.
func (g Gammas) of(p *Points, from, to int) dist.Gamma {
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

// at returns the Gamma law with these coordinates, or with the nearest spread that the bounds
// allow; a spread of -Inf is the narrowest. If g is Shaped, the shape is that of near. ok is
// false if there is no such law.
func (g Gammas) at(place, spread float64, near dist.Gamma) (law dist.Gamma, ok bool) {
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
	return law, valid(law)
}

// nearBound is the share of its bound from which on a shape counts as at the bound.
const nearBound = 0.999

// Narrowest reports whether the shape is at its bound.
func (g Gammas) Narrowest(law dist.Gamma) bool {
	return !g.Shaped && law.Shape >= nearBound*g.MaxShape(law.Mean())
}
