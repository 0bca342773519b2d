package em

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/points"
)

// Normals is the kernel of log-normal laws, as normal laws of y = ln x: the
// sample is Linear, of logarithms. Its statistics are the distance d of y from
// the mean of the law that the E step was made with, and d², which keeps the
// digits of narrow laws far out; its coordinates mu and ln sigma.
type Normals struct {
	Resolution func(y float64) float64 // width of a rounding cell of ln x at y, 0 for none
}

// NarrowestSigma bounds a component's spread where the sample is not rounded:
// none is narrower than 0.3 % of its median.
const NarrowestSigma = 0.003

// MinSigma is the least standard deviation of a component of mean mu, without
// which a sample with ties has no likelihood of its own: that of a rounding
// cell, width/sqrt(12), as for Gammas.MaxShape.
func (n Normals) MinSigma(mu float64) float64 {
	return max(NarrowestSigma, n.Resolution(mu)/math.Sqrt(12))
}

// Maximise returns the law with the mean and spread of the sums, bounded as
// MinSigma says.
func (n Normals) Maximise(s Sums, old dist.LogNormal) dist.LogNormal {
	if !(s.W > 0) {
		return old
	}
	shift := s.A / s.W
	law := dist.LogNormal{Mu: old.Mu + shift, Sigma: math.Sqrt(max(0, s.B/s.W-shift*shift))}
	if least := n.MinSigma(law.Mu); law.Sigma < least {
		law.Sigma = least
		// -2 times the log-likelihoods of the share, less a constant.
		now := 2*s.W*math.Log(law.Sigma) + (s.B-s.W*shift*shift)/(law.Sigma*law.Sigma)
		before := 2*s.W*math.Log(old.Sigma) + s.B/(old.Sigma*old.Sigma)
		if now > before {
			return old
		}
	}
	return law
}

// Of returns the likeliest law of the values.
func (n Normals) Of(p *points.Set, from, to int) dist.LogNormal {
	var s LogNormalSums
	for i := from; i < to; i++ {
		s.Merge(LogNormalSums{W: p.W[i], Mean: p.X[i]})
	}
	return dist.LogNormal{Mu: s.Mean, Sigma: max(math.Sqrt(s.Squares/s.W), n.MinSigma(s.Mean))}
}

// Coordinates returns mu and ln sigma.
func (n Normals) Coordinates(law dist.LogNormal) (place, spread float64) {
	return law.Mu, math.Log(law.Sigma)
}

// At returns the law with these coordinates.
func (n Normals) At(place, spread float64, _ dist.LogNormal) (dist.LogNormal, bool) {
	law := dist.LogNormal{Mu: place, Sigma: max(math.Exp(spread), n.MinSigma(place))}
	return law, law.Validate() == nil
}

// Narrowest says whether the standard deviation is at its bound.
func (n Normals) Narrowest(law dist.LogNormal) bool {
	return law.Sigma*nearBound <= n.MinSigma(law.Mu)
}

// Width returns sigma.
func (n Normals) Width(law dist.LogNormal) float64 { return law.Sigma }

// Spreads are of a narrow peak, and of narrow and wide laws of run times.
func (n Normals) Spreads() []float64 {
	return []float64{math.Log(0.02), math.Log(0.15), math.Log(0.6)}
}

// Density returns what the E step asks of a normal law.
func (n Normals) Density(law dist.LogNormal) Density {
	return &normalDensity{mu: law.Mu, sigma: law.Sigma, rate: 1 / law.Sigma, lnSigma: math.Log(law.Sigma)}
}

type normalDensity struct {
	mu, sigma, rate, lnSigma float64
}

func (d *normalDensity) Values(lnWeight float64, p *points.Set, from int, out []float64) {
	constant, mu, rate := lnWeight-d.lnSigma-lnSqrt2Pi, d.mu, d.rate
	y := p.X[from : from+len(out)]
	for i := range out {
		z := (y[i] - mu) * rate
		out[i] = constant - z*z/2
	}
}

func (d *normalDensity) Gather(s *Sums, p *points.Set, from int, share []float64) {
	sum, mu := *s, d.mu
	y := p.X[from : from+len(share)]
	for i, w := range share {
		from := y[i] - mu
		sum.W += w
		sum.A += w * from
		sum.B += w * from * from
	}
	*s = sum
}

func (d *normalDensity) Narrow(p *points.Set, i int) (Moments, bool) {
	m, ok := narrowNormal((p.X[i]-d.mu)*d.rate, math.Sqrt(p.HalfSquared[i])*d.rate)
	m = d.moments(m)
	m.LnMass += p.LnWidth[i] - d.lnSigma
	return m, ok
}

// AtMost: the density of y lies below its tangent at the middle of the cell,
// in logarithms. 0 for a cell without an end.
func (d *normalDensity) AtMost(p *points.Set, i int) float64 {
	half := math.Sqrt(p.HalfSquared[i])
	if math.IsInf(half, 1) {
		return 0
	}
	z := (p.X[i] - d.mu) * d.rate
	return -d.lnSigma - z*z/2 - lnSqrt2Pi + p.LnWidth[i] + math.Abs(z)*half*d.rate
}

func (d *normalDensity) Cell(lo, hi float64) Moments {
	return d.moments(normalCell((lo-d.mu)*d.rate, (hi-d.mu)*d.rate))
}

// moments makes the means of d and d² of those of z and z².
func (d *normalDensity) moments(m Moments) Moments {
	return Moments{m.LnMass, d.sigma * m.A, d.sigma * d.sigma * m.B}
}
