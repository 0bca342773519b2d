package num

import "math"

// Exp returns e^x, within 0.52 units in the last place of it and with the same
// bits on every processor: random streams are made of it. (The standard
// library's Exp differs from processor to processor in the last place, and
// where a processor has a fused multiply-add.) Below the smallest normal number
// a result is off by up to one unit in the last place. Exp(+Inf) is +Inf,
// Exp(-Inf) 0 and Exp(NaN) NaN.
//
// With k the nearest whole number to 128 x / ln 2, e^x is 2^(k/128) from a table
// times e^r, |r| < 0.0028, from five terms of its series.
func Exp(x float64) float64 {
	if !(x > -708 && x < 709) {
		return expEdge(x)
	}
	power, rest, e := expParts(x)
	power = math.Float64frombits(math.Float64bits(power) + uint64(e)<<52)
	return power + float64(power*rest)
}

// expParts returns e^x as power (1+rest) 2^e, with power in [1, 2), for |x| up
// to 10,000.
func expParts(x float64) (power, rest float64, e int64) {
	// Adding and taking away 3·2^51 rounds to a whole number.
	const rounder = 3 << 51
	k := float64(x*stepsPerUnit) + rounder
	i := int64(math.Float64bits(k)) << 13 >> 13
	k -= rounder
	r := x - float64(k*stepHigh) - float64(k*stepLow)
	at := &expTable[i&127]
	r2 := float64(r * r)
	rest = at.rest + r + float64(r2*(0.5+float64(r*(1.0/6)))) + float64(float64(r2*r2)*(1.0/24+float64(r*(1.0/120))))
	return at.power, rest, i >> 7
}

// expEdge is Exp where the result may leave the range of normal numbers.
func expEdge(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.79:
		return math.Inf(1)
	case x < -745.14:
		return 0
	}
	power, rest, e := expParts(x)
	return math.Ldexp(power+float64(power*rest), int(e))
}

// Log returns the natural logarithm of x, within one unit in the last place of
// it and with the same bits on every processor, as Exp does. Log(0) is -Inf,
// Log(+Inf) +Inf and Log(x) NaN for x below 0.
//
// With x = 2^k (1+f), 1+f within a factor √2 of one, and s = f/(2+f), ln x is
// k ln 2 + 2 atanh s.
func Log(x float64) float64 {
	switch {
	case !(x > 0):
		if x == 0 {
			return math.Inf(-1)
		}
		return math.NaN()
	case x > math.MaxFloat64:
		return x
	}
	k := 0
	if x < 0x1p-1022 {
		x *= 0x1p54
		k = -54
	}
	// The bits above those of √½ count the powers of two.
	const half = 0x3fe6a09e667f3bcd
	b := math.Float64bits(x) - half
	k += int(int64(b) >> 52)
	f := math.Float64frombits(b&(1<<52-1)+half) - 1
	s := f / (2 + f)
	z := s * s
	p := atanhTable[6]
	for i := 5; i >= 0; i-- {
		p = atanhTable[i] + float64(z*p)
	}
	// 2 atanh s = f - s (f - q), with q what follows the first term over s.
	q := float64(z * p)
	return float64(float64(k)*ln2High) - (float64(s*(f-q)) - float64(float64(k)*ln2Low) - f)
}
