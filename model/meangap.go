package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Mean returns the mean time in seconds from one job's submission to the next
// one's, over whole days, with all interarrival times multiplied by stretch.
// For the methods that give every half hour its own shape, half hours are
// weighted by how often interarrival times begin in them in the long run; it is
// NaN if there are no such shapes.
func (a Arrivals) Mean(stretch float64) float64 {
	if !a.Method.ByShape() {
		return stretch * a.Gap()
	}
	shapes, err := a.Shapes()
	if err != nil {
		return math.NaN()
	}
	return a.meanByShape(shapes, stretch)
}

// Gap returns the mean interarrival time in seconds: MeanSeconds, or that of
// the truncated law.
func (a Arrivals) Gap() float64 {
	if a.MeanSeconds > 0 {
		return a.MeanSeconds
	}
	return a.Gaps.mean()
}

// Pace returns the factor by which the law's interarrival times are multiplied,
// so that their mean is Gap.
func (a Arrivals) Pace() float64 {
	if a.MeanSeconds == 0 {
		return 1
	}
	return a.MeanSeconds / a.Gaps.mean()
}

// Shapes returns the shapes of the half hours by the method, for which ByShape
// must be true.
func (a Arrivals) Shapes() ([Slots]float64, error) {
	if a.Method == ExpectedInterarrival {
		return a.ExpectedInterarrival()
	}
	r, err := a.ExpectedSlots()
	if err != nil {
		return r.Shapes, err
	}
	if !r.Converged {
		return r.Shapes, &ConvergenceError{r.Iterations, r.Residual}
	}
	return r.Shapes, nil
}

// steps is the number of parts of a day in which meanByShape counts.
const (
	steps     = 2 * Slots
	stepWidth = SlotSeconds * Slots / steps // s
)

// meanByShape finds the law of the time of day at which interarrival times
// begin: that of a Markov chain over the steps of a day, in each of which they
// begin at any moment alike.
func (a Arrivals) meanByShape(shapes [Slots]float64, stretch float64) float64 {
	gaps, _ := a.Gaps.(LnGaps) // which a method by shape has
	var chain [steps][steps]float64
	var mean [Slots]float64
	for slot, shape := range shapes {
		g := dist.Gamma{Shape: shape, Scale: gaps.Peak.Scale}
		mean[slot] = stretch * dist.Ln{Inner: g, MaxLn: gaps.MaxLn}.Mean()
		row := jumps(g, gaps.MaxLn, stretch)
		for i := slot * steps / Slots; i < (slot+1)*steps/Slots; i++ {
			for k, p := range row {
				chain[i][(i+k)%steps] += p
			}
		}
	}
	sum := 0.0
	for i, p := range stationary(&chain) {
		sum += p * mean[i*Slots/steps]
	}
	return sum
}

// jumps are the probabilities that an interarrival time ends 0, 1, ... steps
// after the one in which it begins, modulo a day. With H(x) the integral of
// the distribution function up to x steps, which is x F(x) less the mean of
// what is below x, that of k steps is H(k+1) - 2 H(k) + H(k-1).
func jumps(g dist.Gamma, maxLn, stretch float64) (row [steps]float64) {
	const most = 20 * steps // what is beyond 20 days is at any time of day
	kept := g.CDF(maxLn)
	integral := func(k int) (h float64, end bool) {
		x := math.Log(float64(k) * stepWidth / stretch)
		if x > maxLn {
			x, end = maxLn, true
		}
		below := g.CDF(x)
		if below == 0 {
			return 0, false
		}
		m := stretch / stepWidth * below * dist.Ln{Inner: g, MaxLn: x}.Mean()
		return (float64(k)*below - m) / kept, end
	}
	var before, now float64 // H(k-1), H(k)
	left := 1.0
	done := false // F is 1 from here on, with one step more to take in
	for k := 0; k < most && left > 1e-12; k++ {
		next, end := integral(k + 1)
		p := max(0, next-2*now+before)
		row[k%steps] += p
		left -= p
		if done {
			break
		}
		before, now, done = now, next, end
	}
	for k := range row {
		row[k] += max(0, left) / steps
	}
	return row
}

// stationary returns the law of a chain in the long run, by the elimination
// without subtractions of Grassmann, Taksar and Heyman (1985), and uses the
// chain up.
func stationary(chain *[steps][steps]float64) (p [steps]float64) {
	for n := steps - 1; n > 0; n-- {
		out := 0.0
		for j := range n {
			out += chain[n][j]
		}
		for i := range n {
			chain[i][n] /= out
			for j := range n {
				chain[i][j] += chain[i][n] * chain[n][j]
			}
		}
	}
	p[0] = 1
	sum := 1.0
	for n := 1; n < steps; n++ {
		for i := range n {
			p[n] += p[i] * chain[i][n]
		}
		sum += p[n]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}
