package model

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// MaxSecondsLimit is the largest value at which a law of seconds is cut, and
// the longest time that a model means: exp(MaxLnLimit) s.
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
	width := num.Log(1e15) / panels
	if least > max/1e15 {
		width = num.Log(max/least) / panels
	}
	var sum num.Sum
	sum.Add(least * kept)
	for i := range panels {
		for j, x := range gaussNodes {
			t := max * num.Exp(-width*(float64(i)+0.5+0.5*x))
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

// positiveLaw validates a law of a positive quantity, with its cut at max in
// the field maxName (0 for none, which needs a finite mean).
func positiveLaw(path, name, maxName string, l dist.Law, max float64) error {
	inner := l
	if ln, ok := l.(dist.Ln); ok {
		inner = ln.Inner
	}
	if err := law(path+"."+name, inner); err != nil {
		return err
	}
	if err := dist.Validate(l); err != nil {
		return lawError(path+"."+name, err)
	}
	if l.CDF(0) > 0 {
		return &FieldError{Path: path + "." + name, Saw: fmt.Sprintf("a %s law with %.2g of it not above 0", dist.Family(l), l.CDF(0)), Want: "a law of values above 0"}
	}
	if maxName == "" {
		return nil
	}
	if max == 0 {
		if m := dist.Mean(l); !(m <= MaxSecondsLimit) {
			return &FieldError{Path: path + "." + maxName, Saw: fmt.Sprintf("missing, and the %s law has no finite mean that is known", dist.Family(l)),
				Want: "a number above 0, where the law is cut"}
		}
		return nil
	}
	if err := within(path+"."+maxName, max, math.SmallestNonzeroFloat64, MaxSecondsLimit); err != nil {
		return err
	}
	return enough(path+"."+maxName, max, l.CDF(max))
}
