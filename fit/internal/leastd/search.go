package leastd

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// search looks for the one or two Gammas with the least D from a start.
type search struct {
	problem *em.Mixture[dist.Gamma]
	bounds  em.Gammas
	steps   steps
	at      []dist.WeightedGamma // the closest so far
	d       float64              // its D
	ending  em.Ending

	evaluations int // laws whose D was asked for
	worst       int // where D was, of the last one
	// cdf are the distribution functions of the last law's components at the
	// values, NaN where they have not been asked for; asked says where they have.
	cdf   [2][]float64
	asked [2][]int
}

func newSearch(m *em.Mixture[dist.Gamma], bounds em.Gammas, start []dist.WeightedGamma) *search {
	s := &search{problem: m, bounds: bounds, steps: newSteps(m.Points.W), d: math.Inf(1), at: slices.Clone(start), ending: em.IterationLimit}
	for j := range start {
		s.cdf[j] = slices.Repeat([]float64{math.NaN()}, m.Points.Len())
	}
	s.see(slices.Clone(start))
	return s
}

// see returns the D of the laws of c with the share that is best for them, or
// the given one, and keeps them if there is none with less so far. It writes
// the shares to c.
func (s *search) see(c []dist.WeightedGamma) float64 {
	s.evaluations++
	for j := range c {
		for _, i := range s.asked[j] {
			s.cdf[j][i] = math.NaN()
		}
		s.asked[j] = s.asked[j][:0]
	}
	of := func(j, i int) float64 {
		f := s.cdf[j][i]
		if math.IsNaN(f) {
			f = c[j].Law.CDF(s.problem.Points.X[i])
			s.cdf[j][i] = f
			s.asked[j] = append(s.asked[j], i)
		}
		return f
	}
	mixed := func(p float64) (d, slope float64) {
		f := s.steps.distance(func(i int) float64 { return p*of(0, i) + (1-p)*of(1, i) }, s.worst)
		s.worst = f.at
		if slope = of(0, f.at) - of(1, f.at); !f.above {
			slope = -slope
		}
		return f.d, slope
	}
	var d float64
	switch {
	case len(c) == 1:
		f := s.steps.distance(func(i int) float64 { return of(0, i) }, s.worst)
		d, s.worst = f.d, f.at
	case s.problem.Share > 0:
		d, _ = mixed(c[0].Weight)
	default:
		c[0].Weight, d = leastConvex(mixed)
		c[1].Weight = 1 - c[0].Weight
	}
	if d < s.d {
		s.d = d
		copy(s.at, c)
	}
	return d
}

// leastConvex returns where on [0, 1] a function that is the largest of some
// straight lines is least, and its value there; f returns value and slope. It
// goes to where the lines at the two ends of what is left meet (Kelley 1960,
// "The cutting-plane method for solving convex programs").
func leastConvex(f func(p float64) (value, slope float64)) (p, value float64) {
	const close = 1e-9
	lo, hi := 0.0, 1.0
	atLo, down := f(lo)
	atHi, up := f(hi)
	if down >= 0 {
		return lo, atLo
	}
	if up <= 0 {
		return hi, atHi
	}
	p, value = lo, atLo
	if atHi < atLo {
		p, value = hi, atHi
	}
	for range 100 { // a dozen at the most
		meet := (atHi - atLo + down*lo - up*hi) / (down - up)
		below := atLo + down*(meet-lo) // no value is
		v, slope := f(meet)
		if v < value {
			p, value = meet, v
		}
		if value-below <= close {
			break
		}
		if slope < 0 {
			lo, atLo, down = meet, v, slope
		} else {
			hi, atHi, up = meet, v, slope
		}
	}
	return p, value
}

// simplex searches from the closest so far with a simplex of the given size:
// 1 changes a shape by a factor of e, and a mean by a standard deviation.
func (s *search) simplex(size float64, iterations int) {
	start, c := slices.Clone(s.at), slices.Clone(s.at)
	d := func(v []float64) float64 {
		for j, g := range start {
			mean := g.Law.Mean() * math.Exp(v[2*j+1]/math.Sqrt(g.Law.Shape))
			shape := min(g.Law.Shape*math.Exp(v[2*j]), s.bounds.MaxShape(mean))
			c[j] = dist.WeightedGamma{Weight: g.Weight, Law: dist.Gamma{Shape: shape, Scale: mean / shape}}
			if c[j].Law.Validate() != nil {
				return 1 // no law is further off
			}
		}
		return s.see(c)
	}
	// What it returns is known: see keeps the closest. It ends where 80 steps
	// gain nothing, or at the limit: with fewer it stops in a kink.
	_, _ = optimize.Minimize(optimize.Problem{Func: d}, make([]float64, 2*len(start)),
		&optimize.Settings{Converger: &optimize.FunctionConverge{Relative: 1e-7, Iterations: 80}, MajorIterations: iterations},
		&optimize.NelderMead{SimplexSize: size})
}

// rough goes as far as tells the starts apart.
func (s *search) rough() { s.simplex(0.5, 150) }

// mostRounds bounds the rounds of fine; on the logs of the Parallel Workloads
// Archive there are two to four.
const mostRounds = 20

// fine searches with large and small simplices in turn until a round gains no
// more than 1e-5 of D.
func (s *search) fine() {
	for range mostRounds {
		before := s.d
		for _, size := range [...]float64{1, 0.3, 0.1} {
			s.simplex(size, 1000)
		}
		if before-s.d <= 1e-5*before {
			s.ending = em.Converged
			return
		}
	}
}
