package stats

import "math"

// LogLinear counts values that are 0 or more in buckets that divide each power
// of two into 512 equal parts, so that a value is known to RelativeError of it.
// It does what the sketch of Quantiles does without a logarithm for each
// value: for values by the hundred million. The zero value is empty.
//
// The result depends on the values only, not on their order nor on how they
// were merged. Negative values and NaN are not counted; subnormal ones count
// as 0.
type LogLinear struct {
	zero, infinite int
	positive       buckets
}

// logLinearShift leaves a number's exponent and the first nine bits after it.
const logLinearShift = 52 - 9

// Add adds a value.
func (l *LogLinear) Add(x float64) {
	switch {
	case !(x >= 0x1p-1022):
		if x >= 0 {
			l.zero++
		}
	case math.IsInf(x, 1):
		l.infinite++
	default:
		l.positive.add(int(math.Float64bits(x)>>logLinearShift), 1)
	}
}

// Merge adds all values of o.
func (l *LogLinear) Merge(o *LogLinear) {
	l.zero += o.zero
	l.infinite += o.infinite
	l.positive.merge(&o.positive)
}

// N returns how many values were counted.
func (l *LogLinear) N() int { return l.zero + l.positive.total + l.infinite }

// Quantile returns an estimate of the p-quantile, as the function Quantile
// defines it, to RelativeError; NaN of no values or for p outside [0, 1].
func (l *LogLinear) Quantile(p float64) float64 { return interpolate(l.N(), p, l.at) }

// at returns an estimate of the i-th smallest value, from 0.
func (l *LogLinear) at(i int) float64 {
	switch {
	case i < l.zero:
		return 0
	case i < l.zero+l.positive.total:
		b := l.positive.find(i - l.zero)
		return logLinearBound(b) * (1 + 0x1p-10/logLinearMantissa(b))
	}
	return math.Inf(1)
}

// AtMost returns the share of values that are x or less, those that are above
// it by at most 2 RelativeError of x counted in some cases; NaN of no values.
func (l *LogLinear) AtMost(x float64) float64 {
	n := 0
	if x >= 0 {
		n += l.zero
	}
	switch {
	case math.IsInf(x, 1):
		n = l.N()
	case x >= 0x1p-1022:
		to := int(math.Float64bits(x)>>logLinearShift) - l.positive.first
		for _, c := range l.positive.counts[:max(0, min(to+1, len(l.positive.counts)))] {
			n += c
		}
	}
	return float64(n) / float64(l.N())
}

// logLinearBound is the smallest number of a bucket.
func logLinearBound(b int) float64 { return math.Float64frombits(uint64(b) << logLinearShift) }

// logLinearMantissa is that of the smallest number, from 1 to 2.
func logLinearMantissa(b int) float64 { return 1 + float64(b&511)/512 }
