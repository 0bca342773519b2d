package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// MaxSecondsLimit is the largest value at which a law of seconds can be
// truncated, and the longest mean time of a model: exp(MaxLnLimit) s.
const MaxSecondsLimit = 1.0686474581524463e13

// secondsMean is the mean of a law of positive seconds that is cut above max;
// 0 is no cut. It is +Inf or NaN where there is none, or none that is known.
func secondsMean(l dist.Law, max float64) float64 {
	if max == 0 || l.Survival(max) == 0 {
		if m := dist.Mean(l); max == 0 || m > 0 && !math.IsInf(m, 1) {
			return m
		}
	}
	// The integral of Pr{t < X <= max} over t, from the lower end of the
	// support by Gauss-Legendre in ln t; what lies below max/1e15 counts as 0.
	const panels = 600
	kept := l.CDF(max)
	least := l.Quantile(0)
	width := math.Log(1e15) / panels
	if least > max/1e15 {
		width = math.Log(max/least) / panels
	}
	var sum num.Sum
	sum.Add(least * kept)
	for i := range panels {
		for j, x := range gaussNodes {
			t := max * math.Exp(-width*(float64(i)+0.5+0.5*x))
			sum.Add(gaussWeights[j] * 0.5 * width * t * between(l, t, max))
		}
	}
	return sum.Value() / kept
}

// between is Pr{lo < X <= hi}, from the shorter tail.
func between(l dist.Law, lo, hi float64) float64 { return max(0, mass(l, lo, hi)) }

// The nodes and weights of Gauss-Legendre quadrature with five points on
// [-1, 1]; Abramowitz and Stegun (1964), table 25.4.
var (
	gaussNodes   = [5]float64{-0.906179845938664, -0.538469310105683, 0, 0.538469310105683, 0.906179845938664}
	gaussWeights = [5]float64{0.236926885056189, 0.478628670499366, 0.568888888888889, 0.478628670499366, 0.236926885056189}
)
