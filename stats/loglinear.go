package stats

import "math"

// LogLinear counts non-negative values in the buckets of the sketch of Quantiles from the
// first value on, for streams of hundreds of millions of values. Values are accurate to a
// relative error of RelativeError. The zero value is empty.
//
// The result depends only on the values, not on their order.
// Negative values and NaN are not counted; subnormal numbers count as 0.
type LogLinear struct{ counts sketch }

// Add adds a value.
func (l *LogLinear) Add(x float64) {
	if x >= 0x1p-1022 && x <= math.MaxFloat64 {
		l.counts.positive.add(bucketOf(x), 1)
	} else if x >= 0 {
		l.counts.add(x, 1)
	}
}

// N returns how many values were counted.
func (l *LogLinear) N() int { return l.counts.total() }

// Quantile returns an estimate of the p-quantile, as the function Quantile
// defines it, to RelativeError; NaN of no values or for p outside [0, 1].
func (l *LogLinear) Quantile(p float64) float64 { return interpolate(l.N(), p, l.counts.at) }

// AtMost returns the share of values that are at most x; NaN without values. Values above x
// by a relative difference of at most 2 RelativeError may be included.
func (l *LogLinear) AtMost(x float64) float64 {
	n := 0
	if x >= 0 {
		n += l.counts.zero
	}
	switch positive := &l.counts.positive; {
	case math.IsInf(x, 1):
		n = l.N()
	case x >= 0x1p-1022:
		to := bucketOf(x) - positive.first
		for _, c := range positive.counts[:max(0, min(to+1, len(positive.counts)))] {
			n += c
		}
	}
	return float64(n) / float64(l.N())
}
