package em

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// GammaSums are what a Gamma law's likelihood needs to know of a sample: the
// zero value is an empty one. Adding one by one and merging parts agree, so a
// fit can run over partitions.
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

// Merge adds all that o has seen.
func (s *GammaSums) Merge(o GammaSums) {
	s.W += o.W
	s.X += o.X
	s.LnX += o.LnX
}

// Mean returns the mean of the values.
func (s GammaSums) Mean() float64 { return s.X / s.W }

// ML returns the Gamma law of maximum likelihood. Its scale is the mean over
// the shape, and its shape solves ln a - digamma(a) = ln(mean) - mean(ln).
// ok is false where there is none: no weight, or all values equal, where the
// likelihood grows with the shape without end.
func (s GammaSums) ML() (law dist.Gamma, ok bool) {
	if !(s.W > 0) {
		return dist.Gamma{}, false
	}
	mean := s.Mean()
	shape := gammaShape(math.Log(mean) - s.LnX/s.W)
	law = dist.Gamma{Shape: shape, Scale: mean / shape}
	return law, law.Validate() == nil
}

// LogLikelihood is that of the law g for the values seen.
func (s GammaSums) LogLikelihood(g dist.Gamma) float64 {
	lg, _ := math.Lgamma(g.Shape)
	return (g.Shape-1)*s.LnX - s.X/g.Scale - s.W*(lg+g.Shape*math.Log(g.Scale))
}

// spreadIsRounding is the ln(mean) - mean(ln) of a sample below which it is
// rounding error: it belongs to a shape of 1e13.
const spreadIsRounding = 5e-14

// gammaShape solves ln a - digamma(a) = s for a by Newton's method; +Inf
// where s is not above rounding error. The start is Minka's (2002),
// "Estimating a Gamma distribution", within 1.5 % everywhere.
func gammaShape(s float64) float64 {
	if !(s > spreadIsRounding) {
		return math.Inf(1)
	}
	a := (3 - s + math.Sqrt((s-3)*(s-3)+24*s)) / (12 * s)
	for range 50 {
		// The left side falls with a, with derivative -(trigamma - 1/a).
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
