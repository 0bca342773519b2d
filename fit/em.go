package fit

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
)

// emLimits are when EM stops.
type emLimits struct {
	iterations int // E steps at the most
	// EM stands still when one plain step moves no coordinate by more than
	// tolerance, or gains no more than this share of the log-likelihood: where
	// the likelihood is flat, the parameters drift long after it has ended.
	tolerance, gain float64
}

// emResult is where a run of EM ended.
type emResult[C any] struct {
	components []C // by ascending mean, of log-normals by ascending mu
	emEnd          // its log-likelihood is of the points
}

// run improves the components of start until they stand still, as accelerate
// says.
func (m *mixture) run(start []component, limits emLimits, observe func(logLikelihood float64)) emResult[component] {
	var r emResult[component]
	at := accelerate(start, limits, emSteps[component]{
		step:        m.step,
		lost:        m.lost,
		distance:    func(a, b []component) float64 { return distance(a, b, !m.fixed) },
		extrapolate: m.extrapolate,
	}, observe, &r.emEnd)
	r.components = at
	if m.fixed {
		return r // the share belongs to the first as it stands
	}
	slices.SortStableFunc(r.components, func(a, b component) int {
		switch am, bm := a.law.Mean(), b.law.Mean(); {
		case am < bm:
			return -1
		case am > bm:
			return 1
		}
		return 0
	})
	return r
}

// fewestJobs is the least weight of a component, in jobs: with less it has
// died, and what is left is a fit of fewer components.
const fewestJobs = 1.5

// lost says whether a component has died.
func (m *mixture) lost(c []component) bool {
	if m.fixed {
		return false
	}
	for _, x := range c {
		if !(x.weight*m.jobs >= fewestJobs) {
			return true
		}
	}
	return false
}

// The coordinates in which EM is extrapolated know no bounds: ln shape and ln
// mean of each component, and ln of its weight over the last one's.

func shapeAt(c []component, k int) float64 { return math.Log(c[k].law.Shape) }
func meanAt(c []component, k int) float64  { return math.Log(c[k].law.Mean()) }
func weightAt(c []component, k int) float64 {
	return math.Log(c[k].weight) - math.Log(c[len(c)-1].weight)
}

func coordinates(weights bool) []func([]component, int) float64 {
	if weights {
		return []func([]component, int) float64{shapeAt, meanAt, weightAt}
	}
	return []func([]component, int) float64{shapeAt, meanAt}
}

// distance is the largest change of a coordinate.
func distance(a, b []component, weights bool) float64 {
	d := 0.0
	for _, at := range coordinates(weights) {
		for k := range a {
			d = max(d, math.Abs(at(b, k)-at(a, k)))
		}
	}
	return d
}

// extrapolate writes to out the SQUAREM step through three successive points
// of EM. It is false where there is none, or where it would be no longer than
// EM's own.
func (m *mixture) extrapolate(a, b, c, out []component) bool {
	var rr, vv float64
	for _, at := range coordinates(!m.fixed) {
		for k := range a {
			r := at(b, k) - at(a, k)
			v := at(c, k) - at(b, k) - r
			rr += r * r
			vv += v * v
		}
	}
	alpha := -math.Sqrt(rr / vv)
	if !(alpha < -1) || math.IsInf(alpha, -1) {
		return false
	}
	reach := func(at func([]component, int) float64, k int) float64 {
		r := at(b, k) - at(a, k)
		v := at(c, k) - at(b, k) - r
		return at(a, k) - 2*alpha*r + alpha*alpha*v
	}
	sum := 0.0
	for k := range a {
		mean, shape := math.Exp(reach(meanAt, k)), math.Exp(reach(shapeAt, k))
		if !(mean > 0) || math.IsInf(mean, 1) || !(shape > 0) {
			return false
		}
		if m.shaped {
			shape = c[k].law.Shape
		} else {
			shape = min(shape, m.maxShape(mean))
		}
		out[k] = component{weight: c[k].weight, law: dist.Gamma{Shape: shape, Scale: mean / shape}}
		if out[k].law.Validate() != nil {
			return false
		}
		if !m.fixed {
			out[k].weight = math.Exp(reach(weightAt, k))
			sum += out[k].weight
		}
	}
	if m.fixed {
		return true
	}
	if math.IsInf(sum, 1) || !(sum > 0) {
		return false
	}
	for k := range out {
		if out[k].weight /= sum; !(out[k].weight > 0) {
			return false
		}
	}
	return true
}
