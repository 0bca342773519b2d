package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Lublin and Feitelson (2003), section 7.3, try three ways to bring the daily
// cycle into the arrivals. The first two give every half hour of the day its
// own shape of the Gamma of ln of the interarrival time, with one scale; the
// third, which they chose, and which is generated (SlotWeights), leaves the
// law as it is and stretches the time.

// Shapes returns the shapes of the half hours, from midnight on, by the method, for which ByShape
// must be true. It is an error if a half hour has no weight, and if there are no such shapes.
//
// By the first method the shape is that of Law plus ln(1/w) over the scale, w being the half
// hour's weight. A large weight may leave no shape above 0.
func (a Arrivals) Shapes() (shapes [Slots]float64, err error) {
	weights, ok := a.Weights()
	if !ok {
		return shapes, errors.New("the daily cycle has no mass on any half hour")
	}
	for i, w := range weights {
		if !(w > 0) {
			return shapes, fmt.Errorf("half hour %d of the day has weight %g, want more than 0", i, w)
		}
	}
	law := a.Law()
	if a.Method != ExpectedInterarrival {
		return expectedSlots(law, weights)
	}
	for i, w := range weights {
		shapes[i] = law.Shape - math.Log(w)/law.Scale
		if !(shapes[i] > 0) {
			return shapes, fmt.Errorf("half hour %d of the day has weight %g, too much for a shape of %g: no shape above 0 is left", i, w, law.Shape)
		}
	}
	return shapes, nil
}

const (
	slotsIterations = 60
	slotsTolerance  = 1e-9
	slotsLargest    = 0.5 // of a shape: its largest change in one iteration
)

// expectedSlots returns the shapes of the second method: in every half hour t
// the expected jump J(t), in half hours, to the next arrival is to be a
// constant times the paper's E(t). The constant is the one that keeps the
// average of the shapes, weighted by w, at the law's, as the paper's update does.
//
// E(t) is the paper's, with the Pr(k) of the law: the probability that an
// interarrival time rounds to k half hours. The update differs: the printed one
// takes J to be proportional to the shape, which is false for a law of
// logarithms, and its second iteration is far off. Here a shape changes by the
// error of ln J divided by the slope of ln J between its last two values (at
// first the scale), damped so that no shape changes by more than half in one
// iteration. It is an error if ln J is not within 1e-9 of its target after
// 60 iterations.
func expectedSlots(law dist.Gamma, weights [Slots]float64) (shapes [Slots]float64, err error) {
	flat, _ := Arrivals{Method: Stationary}.Weights()
	var target, slope, before, jump, moved [Slots]float64 // of ln J, and of the shapes
	pr := jumpProbabilities(law)
	for t := range shapes {
		shapes[t], slope[t], target[t] = law.Shape, law.Scale, lnJump(&pr, &weights, t)
	}
	for iteration := 0; ; iteration++ {
		for t, shape := range shapes {
			pr := jumpProbabilities(dist.Gamma{Shape: shape, Scale: law.Scale})
			jump[t] = lnJump(&pr, &flat, t)
			if s := (jump[t] - before[t]) / moved[t]; iteration > 0 && math.Abs(moved[t]) > 1e-9*shape && s > 0 {
				slope[t] = s
			}
		}
		// The steps (target + c - jump) / slope, weighted, sum to nothing.
		var lack, per float64
		for t := range jump {
			lack += weights[t] * (target[t] - jump[t]) / slope[t]
			per += weights[t] / slope[t]
		}
		c := -lack / per
		residual, damping := 0.0, 1.0
		for t := range jump {
			off := target[t] + c - jump[t]
			residual = max(residual, math.Abs(off))
			moved[t] = off / slope[t]
			damping = min(damping, slotsLargest*shapes[t]/math.Abs(moved[t]))
		}
		if residual <= slotsTolerance {
			return shapes, nil
		}
		if iteration == slotsIterations || math.IsNaN(residual) || math.IsInf(residual, 0) {
			return shapes, fmt.Errorf("the shapes of method %q are not found: after %d iterations ln of a half hour's jump is %.3g off", ExpectedSlotsMethod, iteration, residual)
		}
		for t := range moved {
			moved[t] *= damping
			shapes[t] += moved[t]
		}
		before = jump
	}
}

// lnJump is ln of the expected number of half hours from half hour t to the next arrival, of
// those within a day, with the probabilities pr of each number and weights: E(t) of section 7.3.
func lnJump(pr, weights *[Slots]float64, t int) float64 {
	var up, down float64
	for k, p := range pr {
		w := weights[(t+k)%Slots] * p
		up += w * float64(k)
		down += w
	}
	return math.Log(up / down)
}

// jumpProbabilities are the probabilities that an interarrival time, in half
// hours, rounds to 0, 1, ..., 47.
func jumpProbabilities(law dist.Gamma) (p [Slots]float64) {
	below := 0.0
	for k := range p {
		upTo := law.CDF(math.Log((float64(k) + 0.5) * SlotSeconds))
		p[k] = upTo - below
		below = upTo
	}
	return p
}

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

// steps is the number of parts of a day in which meanByShape counts.
const (
	steps     = 2 * Slots
	stepWidth = SlotSeconds * Slots / steps // s
)

// meanByShape finds the law of the time of day at which interarrival times
// begin: that of a Markov chain over the steps of a day, in each of which they
// begin at any moment alike.
func (a Arrivals) meanByShape(shapes [Slots]float64, stretch float64) float64 {
	var chain [steps][steps]float64
	var mean [Slots]float64
	for slot, shape := range shapes {
		g := dist.Gamma{Shape: shape, Scale: a.Peak.Scale}
		mean[slot] = stretch * dist.Ln{Inner: g, MaxLn: a.Peak.MaxLn}.Mean()
		row := jumps(g, a.Peak.MaxLn, stretch)
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
