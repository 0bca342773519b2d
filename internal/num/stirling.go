package num

import "math"

// StirlingError returns ln Γ(x+1) - (x ln x - x + ln(2πx)/2) for x > 0, the
// error of Stirling's formula. With it, probabilities of Gamma, Poisson and
// binomial laws are computed without the cancellation of large logarithms.
// Loader (2000), "Fast and accurate computation of binomial probabilities".
func StirlingError(x float64) float64 {
	if !(x > 0) {
		return math.NaN()
	}
	if x < 10 {
		lg, _ := math.Lgamma(x + 1)
		return lg - (x+0.5)*math.Log(x) + x - halfLn2Pi
	}
	// The asymptotic series with Bernoulli numbers. At x = 10 the first omitted
	// term is below 1e-17.
	const (
		s0 = 1.0 / 12
		s1 = 1.0 / 360
		s2 = 1.0 / 1260
		s3 = 1.0 / 1680
		s4 = 1.0 / 1188
		s5 = 691.0 / 360360
		s6 = 1.0 / 156
		s7 = 3617.0 / 122400
	)
	i := 1 / (x * x)
	return (s0 - i*(s1-i*(s2-i*(s3-i*(s4-i*(s5-i*(s6-i*s7))))))) / x
}

const halfLn2Pi = 0.91893853320467274178032973640561763986139747363778
