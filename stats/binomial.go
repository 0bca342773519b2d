package stats

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// binomialPMF returns Pr{Bin(n, q) = k} for 0 < q < 1, in Loader's saddle
// point form, which is accurate for any n. Loader (2000), "Fast and accurate
// computation of binomial probabilities".
func binomialPMF(n, k int, q float64) float64 {
	switch {
	case k < 0 || k > n:
		return 0
	case k == 0:
		return math.Exp(float64(n) * math.Log1p(-q))
	case k == n:
		return math.Pow(q, float64(n))
	}
	fn, fk, fr := float64(n), float64(k), float64(n-k)
	deviance := func(x, mean float64) float64 { return -x * num.Log1pmx((mean-x)/x) }
	ln := num.StirlingError(fn) - num.StirlingError(fk) - num.StirlingError(fr) -
		deviance(fk, fn*q) - deviance(fr, fn*(1-q))
	return math.Exp(ln) * math.Sqrt(fn/(2*math.Pi*fk*fr))
}

// binomialUpper returns Pr{Bin(n, q) >= k} by summing upwards from k, which is accurate unless
// the probability is close to 1. For the rank of an upper bound it is small.
func binomialUpper(n, k int, q float64) float64 {
	if k <= 0 {
		return 1
	}
	odds := q / (1 - q)
	term := binomialPMF(n, k, q)
	sum := 0.0
	for j := k; j <= n; j++ {
		sum += term
		ratio := float64(n-j) / float64(j+1) * odds
		if ratio < 1 && term < 1e-18*sum {
			break
		}
		term *= ratio
	}
	return min(sum, 1)
}
