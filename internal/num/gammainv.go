package num

import "math"

// GammaPInv returns the x at which GammaP(a, x) = p, for a > 0 and p in
// [0, 1], and NaN elsewhere. For p near one use GammaQInv.
func GammaPInv(a, p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return gammaInv(a, p, 1-p)
}

// GammaQInv returns the x at which GammaQ(a, x) = q, for a > 0 and q in
// [0, 1], and NaN elsewhere.
func GammaQInv(a, q float64) float64 {
	if !(q >= 0 && q <= 1) {
		return math.NaN()
	}
	return gammaInv(a, 1-q, q)
}

// gammaInv solves for the smaller of p and q, by Newton steps kept inside a
// bracket. They are on the logarithm of the probability as a function of the
// logarithm of x, which is smooth, and nearly linear in the tails.
func gammaInv(a, p, q float64) float64 {
	switch {
	case !(a > 0) || math.IsInf(a, 1):
		return math.NaN()
	case p == 0:
		return 0
	case q == 0:
		return math.Inf(1)
	}
	lower := p <= q
	aim := min(p, q)
	// at returns the probability at x and the derivative of its logarithm with
	// respect to ln x.
	at := func(x float64) (prob, slope float64) {
		if lower {
			prob = GammaP(a, x)
			return prob, a * GammaKernel(a, x) / prob
		}
		prob = GammaQ(a, x)
		return prob, -a * GammaKernel(a, x) / prob
	}
	lnAim := math.Log(aim)
	w := gammaInvGuess(a, p, q)
	lo, hi := math.Inf(-1), math.Inf(1)
	for range 200 {
		x := math.Exp(w)
		if x == 0 {
			return 0 // below the smallest number: shapes near zero
		}
		prob, slope := at(x)
		r := math.Log(prob) - lnAim // if above 0, x is too large for P and too small for Q
		if lower == (r > 0) {
			hi = w
		} else {
			lo = w
		}
		next := w - r/slope
		if !(next > lo && next < hi) || math.IsInf(next, 0) {
			switch {
			case math.IsInf(lo, -1):
				next = w - max(1, math.Abs(w))
			case math.IsInf(hi, 1):
				next = w + max(1, math.Abs(w))
			default:
				next = lo + (hi-lo)/2
			}
		}
		near := 1e-12 * max(1, math.Abs(w))
		if math.Abs(next-w) <= near || hi-lo <= near {
			w = next
			break
		}
		w = next
	}
	// A last step in x itself: far from 1, ln x has fewer digits than x.
	x := math.Exp(w)
	prob, slope := at(x)
	if step := x * ((prob - aim) / aim / slope); math.Abs(step) < 1e-9*x {
		x -= step
	}
	return x
}

// gammaInvGuess returns a first approximation of ln x: Wilson and Hilferty's cube
// for moderate probabilities, and the leading term of the series otherwise.
func gammaInvGuess(a, p, q float64) float64 {
	// A rough normal quantile is enough (Abramowitz and Stegun 26.2.22).
	t := math.Sqrt(-2 * math.Log(min(p, q)))
	z := t - (2.30753+0.27061*t)/(1+t*(0.99229+0.04481*t))
	if p < q {
		z = -z
	}
	c := 1 - 1/(9*a) + z/(3*math.Sqrt(a))
	if a > 0.5 && c > 0.2 {
		return math.Log(a) + 3*math.Log(c)
	}
	lg, _ := math.Lgamma(a + 1)
	w := (math.Log(p) + lg) / a
	// The leading term is a lower bound of x. If it is of no use, stay near the
	// mean.
	if math.IsNaN(w) || w > math.Log(a+1) {
		return math.Log(a + 1)
	}
	return w
}
