package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// coordinatesOf are numbers without bounds, three a component: mu, ln sigma,
// and ln of the weight over the last one's.
func coordinatesOf(c []normalComponent) []float64 {
	v := make([]float64, 0, 3*len(c))
	last := math.Log(c[len(c)-1].weight)
	for _, x := range c {
		v = append(v, x.law.Mu, math.Log(x.law.Sigma), math.Log(x.weight)-last)
	}
	return v
}

func largestStep(a, b []float64) float64 {
	d := 0.0
	for i := range a {
		d = max(d, math.Abs(b[i]-a[i]))
	}
	return d
}

// extrapolate writes to out the SQUAREM step (scheme S3) through the
// coordinates of three successive points of EM. It is false where there is
// none, or where it would be no longer than EM's own.
func (m *normalMixture) extrapolate(a, b, c []float64, out []normalComponent) bool {
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
		return a[i] - 2*alpha*r + alpha*alpha*(c[i]-b[i]-r)
	}
	sum := 0.0
	for k := range out {
		law := dist.LogNormal{Mu: reach(3 * k), Sigma: math.Exp(reach(3*k + 1))}
		law.Sigma = max(law.Sigma, m.minSigma(law.Mu))
		if law.Validate() != nil {
			return false
		}
		out[k] = normalComponent{math.Exp(reach(3*k + 2)), law}
		sum += out[k].weight
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
