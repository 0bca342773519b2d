package num

import "math"

// asymptoticFrom is the argument from which the Bernoulli series below are
// accurate to double precision.
const asymptoticFrom = 12

// Digamma returns the logarithmic derivative of the Gamma function at x > 0,
// and NaN elsewhere.
func Digamma(x float64) float64 {
	if !(x > 0) {
		return math.NaN()
	}
	shift := 0.0
	for x < asymptoticFrom {
		shift += 1 / x
		x++
	}
	return math.Log(x) - digammaTail(x) - shift
}

// LnMinusDigamma returns ln x - digamma(x) for x > 0, which tends to 1/(2x).
// For large x, computing the difference from its terms would lose digits.
// The maximum likelihood equation of a Gamma law sets it equal to
// ln(mean) - mean(ln).
func LnMinusDigamma(x float64) float64 {
	if x >= asymptoticFrom {
		return digammaTail(x)
	}
	return math.Log(x) - Digamma(x)
}

// Trigamma returns the derivative of Digamma at x > 0, and NaN elsewhere.
func Trigamma(x float64) float64 {
	if !(x > 0) {
		return math.NaN()
	}
	shift := 0.0
	for x < asymptoticFrom {
		shift += 1 / (x * x)
		x++
	}
	return 1/x + trigammaTail(x) + shift
}

// TrigammaMinusInverse returns trigamma(x) - 1/x for x > 0, which tends to
// 1/(2x²). It is the negative derivative of LnMinusDigamma.
func TrigammaMinusInverse(x float64) float64 {
	if x >= asymptoticFrom {
		return trigammaTail(x)
	}
	return Trigamma(x) - 1/x
}

// digammaTail returns ln x - digamma(x) for x >= asymptoticFrom.
// Abramowitz and Stegun 6.3.18.
func digammaTail(x float64) float64 {
	i := 1 / (x * x)
	return 0.5/x + i*(1.0/12-i*(1.0/120-i*(1.0/252-i*(1.0/240-i*(1.0/132-i*(691.0/32760-i*(1.0/12)))))))
}

// trigammaTail returns trigamma(x) - 1/x for x >= asymptoticFrom.
// Abramowitz and Stegun 6.4.12.
func trigammaTail(x float64) float64 {
	i := 1 / (x * x)
	return 0.5*i + i/x*(1.0/6-i*(1.0/30-i*(1.0/42-i*(1.0/30-i*(5.0/66-i*(691.0/2730-i*(7.0/6)))))))
}
