package em

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// coordinates returns the numbers without bounds in which EM is extrapolated:
// the components' spreads, then their places, then ln of their weights over the last one's.
func (m *Mixture) coordinates(c []dist.WeightedGamma) []float64 {
	n := len(c)
	v := make([]float64, 2*n, 3*n)
	for k, x := range c {
		v[n+k], v[k] = m.Laws.Coordinates(x.Law)
	}
	last := math.Log(c[n-1].Weight)
	for _, x := range c {
		v = append(v, math.Log(x.Weight)-last)
	}
	return v
}

// distance is the largest change of a coordinate.
func (m *Mixture) distance(a, b []dist.WeightedGamma) float64 {
	d := 0.0
	to := m.coordinates(b)
	for i, from := range m.coordinates(a) {
		d = max(d, math.Abs(to[i]-from))
	}
	return d
}

// extrapolate writes to out the SQUAREM step through three successive points
// of EM. It is false where there is none, or where it would be no longer than
// EM's own.
func (m *Mixture) extrapolate(first, second, third, out []dist.WeightedGamma) bool {
	a, b, c := m.coordinates(first), m.coordinates(second), m.coordinates(third)
	var rr, vv float64
	for i := range a {
		r := b[i] - a[i]
		v := c[i] - b[i] - r
		rr += r * r
		vv += v * v
	}
	alpha := -math.Sqrt(rr / vv)
	if !(alpha < -1) || math.IsInf(alpha, -1) {
		return false
	}
	reach := func(i int) float64 {
		r := b[i] - a[i]
		v := c[i] - b[i] - r
		return a[i] - 2*alpha*r + alpha*alpha*v
	}
	n := len(out)
	sum := 0.0
	for k := range out {
		law, ok := m.Laws.At(reach(n+k), reach(k), third[k].Law)
		if !ok {
			return false
		}
		out[k] = dist.WeightedGamma{Weight: math.Exp(reach(2*n + k)), Law: law}
		sum += out[k].Weight
	}
	if math.IsInf(sum, 1) || !(sum > 0) {
		return false
	}
	for k := range out {
		if out[k].Weight /= sum; !(out[k].Weight > 0) {
			return false
		}
	}
	return true
}
