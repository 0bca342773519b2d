package stats

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// AD is the result of a one-sample Anderson-Darling test.
type AD struct {
	Law      dist.Law // the law tested
	N        float64  // the size of the sample
	Distinct int      // how many distinct values it has
	A2       float64  // the statistic, at least 0; +Inf if the law cannot produce one of the values
	Significance
}

// AndersonDarling tests whether a sample, given as distinct ascending values with counts,
// comes from law. If law was fitted to the sample, the p-value is too large: use
// GoodnessOfFitBootstrap.
//
// The statistic is n times the integral of (F_n - F)²/(F (1-F)) dF, computed from the order
// statistics
//
//	A² = -n - 1/n sum_i (2i-1) (ln F(x_i) + ln S(x_(n+1-i))),
//
// Anderson and Darling (1954), "A test of goodness of fit". It gives more weight to the
// tails than Kolmogorov-Smirnov. Tied values have separate ranks in the sum, which is then
// still that integral. But ties increase it (a value with c of n jobs by at least about
// c²/n), and the limiting distribution assumes none, so the p-value of rounded data is too
// small. The bootstrap, which rounds its replicates, does not have this problem.
//
// A² is infinite if the sample has a value that the law cannot produce, or only with a
// probability that underflows. The p-value is AndersonDarlingSurvival(A²), the limit for
// large n, which is accurate from n = 5. Errors are those of KolmogorovSmirnov.
func AndersonDarling(values, counts []float64, law dist.Law) (AD, error) {
	e, err := evaluate("Anderson-Darling", values, counts, law, true)
	if err != nil {
		return AD{}, err
	}
	return e.andersonDarling(law), nil
}

func (e evaluated) andersonDarling(law dist.Law) AD {
	a2 := e.a2()
	return AD{
		Law: law, N: e.n, Distinct: len(e.values), A2: a2,
		Significance: Significance{PValue: AndersonDarlingSurvival(a2), Method: Asymptotic},
	}
}

// a2 sums n A², so that the terms are whole numbers times a logarithm.
func (e evaluated) a2() float64 {
	var sum num.Sum
	sum.Add(-e.n * e.n)
	before := 0.0
	for i, f := range e.cdf {
		s := e.survival[i]
		if !(f > 0) || !(s > 0) {
			return math.Inf(1)
		}
		lnF, lnS := math.Log(f), math.Log(s)
		if f > 0.5 {
			lnF = math.Log1p(-s)
		} else {
			lnS = math.Log1p(-f)
		}
		c := e.counts[i]
		upTo := before + c
		// The sums of 2i-1 over the ranks that tie, from below and from above.
		sum.Add(-c * (before + upTo) * lnF)
		sum.Add(-c * (2*e.n - before - upTo) * lnS)
		before = upTo
	}
	return max(0, sum.Value()/e.n)
}

// AndersonDarlingSurvival returns Pr{A² > x} under the limiting distribution of A² for
// large n, with relative accuracy in the upper tail; 1 for x <= 0.
//
// In the limit A² is a sum of independent chi-squares with one degree of freedom, divided
// by j(j+1), j = 1, 2, ... (Anderson and Darling 1952). The tail of such a sum is an
// alternating series of integrals between the poles of its characteristic function (Smirnov
// 1937; Darling 1955),
//
//	1/π sum_k (-1)^(k+1) ∫ exp(-x u/2) / (u sqrt(-D(u))) du over u in [μ_(2k-1), μ_(2k)],
//
// where μ_j = j(j+1) and D(u) = prod_j (1 - u/μ_j) = -cos(π sqrt(1+4u)/2)/(π u).
func AndersonDarlingSurvival(x float64) float64 {
	// Below 0.03 the distribution function is less than 1e-17.
	const none, nodes = 0.03, 32
	switch {
	case math.IsNaN(x):
		return x
	case x <= none:
		return 1
	}
	sum, sign := 0.0, 1.0
	for k := 1; ; k++ {
		// With sqrt(1+4u) = 4k + t the poles are at t = ±1, and their inverse
		// square roots are the weight of Gauss and Chebyshev's rule.
		part := 0.0
		for i := range nodes {
			t := math.Cos(math.Pi * (float64(i) + 0.5) / nodes)
			root := float64(4*k) + t
			u := (root*root - 1) / 4
			d := math.Cos(math.Pi * t / 2)
			part += math.Exp(-x*u/2) * root / 2 / math.Sqrt(u) * math.Sqrt(math.Pi*(1-t*t)/d)
		}
		part /= nodes
		sum += sign * part
		if part <= 1e-17*sum {
			return min(1, max(0, sum))
		}
		sign = -sign
	}
}
