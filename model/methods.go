package model

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Lublin and Feitelson (2003), section 7.3, try three ways to apply the daily cycle to the
// arrivals. The first two give every half hour of the day its own shape of the Gamma law of ln of
// the interarrival time, with a common scale. The third (SlotWeights), which they chose, keeps
// the law and stretches time.

// Shapes returns the shape of every half hour under a's method, for which ByShape must be true:
// those of a day from midnight on or, with Week, those of a week from Sunday on. The weight of a
// day of the week shifts ln of the interarrival time as the weight of a half hour does in the
// first method. It is an error if a half hour or a day has no weight, or if no such shapes exist.
func (a Arrivals) Shapes() (shapes []float64, err error) {
	day, err := a.shapesOfDay()
	if err != nil {
		return nil, err
	}
	week, name := []float64{1}, func(int) string { return "the day" }
	if a.Week != nil {
		week, name = a.Week[:], func(d int) string { return time.Weekday(d).String() }
	}
	for d, w := range week {
		for i, shape := range day {
			law := dist.Gamma{Shape: shape - math.Log(w)/a.Peak.Scale, Scale: a.Peak.Scale}
			switch {
			case !(law.Shape > 0) || math.IsInf(law.Shape, 1):
				return nil, fmt.Errorf("%s has weight %g, which leaves no finite shape above 0", name(d), w)
			case law.CDF(a.Peak.MaxLn) < leastMass:
				return nil, fmt.Errorf("half hour %d of %s has a shape of %.3g: almost none of the distribution is below max_ln", i, name(d), law.Shape)
			}
			shapes = append(shapes, law.Shape)
		}
	}
	return shapes, nil
}

// shapesOfDay returns the shapes of the half hours of a day, without Week.
//
// In the first method the shape is that of Law plus ln(1/w)/scale, where w is the half hour's
// weight. A large weight may leave no shape above 0.
func (a Arrivals) shapesOfDay() (shapes [Slots]float64, err error) {
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
	slotsLargest    = 0.5 // largest change of a shape in one iteration, as a fraction of it
)

// expectedSlots returns the shapes of the second method: in every half hour t, the expected jump
// J(t) to the next arrival, in half hours, is to be a constant times the paper's E(t). The
// constant is the one that keeps the average of the shapes, weighted by w, at the law's, as the
// paper's update does.
//
// E(t) is computed as in the paper, from Pr(k), the probability under law that an interarrival
// time rounds to k half hours. The update differs from the printed one, which takes J to be
// proportional to the shape; that is false for a law of logarithms, and the second iteration is
// far off. Here a shape changes by the error of ln J divided by the slope of ln J between its
// last two values (at first the scale), damped so that no shape changes by more than half in one
// iteration. It is an error if ln J is not within 1e-9 of its target after 60 iterations.
func expectedSlots(law dist.Gamma, weights [Slots]float64) (shapes [Slots]float64, err error) {
	flat, _ := Arrivals{Method: Stationary}.Weights()
	var target, slope, before, jump, moved [Slots]float64 // target, before and jump are values of ln J; moved is the last change of the shapes
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
		// c makes the weighted sum of the steps (target + c - jump) / slope 0.
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

// lnJump returns ln of the expected number of half hours from half hour t to the next arrival,
// given that this is within a day. pr[k] is the probability that an interarrival time rounds to k
// half hours, and weights are those of the half hours: E(t) of section 7.3.
func lnJump(pr, weights *[Slots]float64, t int) float64 {
	var up, down float64
	for k, p := range pr {
		w := weights[(t+k)%Slots] * p
		up += w * float64(k)
		down += w
	}
	return math.Log(up / down)
}

// jumpProbabilities returns the probabilities that an interarrival time rounds to 0, 1, ..., 47
// half hours.
func jumpProbabilities(law dist.Gamma) (p [Slots]float64) {
	below := 0.0
	for k := range p {
		upTo := law.CDF(math.Log((float64(k) + 0.5) * SlotSeconds))
		p[k] = upTo - below
		below = upTo
	}
	return p
}
