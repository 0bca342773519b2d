package num

import "math"

// LogAddExp returns ln(exp(a) + exp(b)) without overflow; -Inf stands for a
// term that is zero.
func LogAddExp(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) || math.IsInf(a, 1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// Log1pmx returns ln(1+x) - x for x > -1, with full relative accuracy near
// zero, where the two terms cancel.
func Log1pmx(x float64) float64 {
	if x < -0.45 || x > 0.8 {
		return math.Log1p(x) - x
	}
	// With r = x/(2+x), ln(1+x) = 2 atanh(r) and x = 2r/(1-r), so that
	// ln(1+x) - x = 2 (r^3/3 + r^5/5 + ...) - r x, two terms that do not
	// cancel: the second is at least twice the first in size.
	r := x / (2 + x)
	r2 := r * r
	sum, power := 0.0, 1.0
	for k := 3.0; k < 80; k += 2 {
		term := power / k
		sum += term
		if term < 1e-17*sum {
			break
		}
		power *= r2
	}
	return r * (2*r2*sum - x)
}
