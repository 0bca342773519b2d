package stats

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// KS is the result of a one-sample Kolmogorov-Smirnov test.
type KS struct {
	Law      dist.Law // the law tested
	N        float64  // the size of the sample
	Distinct int      // how many distinct values it has
	D        float64  // the largest distance of the distribution functions, in [0, 1]
	At       float64  // the value where D is reached
	Significance
}

// KolmogorovSmirnov tests whether a sample, given as distinct ascending values with counts,
// comes from law. If law was fitted to the sample, the p-value is too large: use
// GoodnessOfFitBootstrap.
//
// D is the largest of |F_n(x) - F(x)| and |F(x) - F_n(x-)| over the values x, the formula
// of Lublin and Feitelson (2003) with ties taken together. The p-value is the limit of
// Pr{D_n >= D} for large n, KolmogorovSurvival(sqrt(n) D). It is an error if there are no
// values, if the slices differ in length, if values are NaN or not ascending, if a count is
// not above 0 and finite, or if the law's CDF is NaN at a value.
func KolmogorovSmirnov(values, counts []float64, law dist.Law) (KS, error) {
	e, err := evaluate("Kolmogorov-Smirnov", values, counts, law, false)
	if err != nil {
		return KS{}, err
	}
	return e.kolmogorovSmirnov(law), nil
}

func (e evaluated) kolmogorovSmirnov(law dist.Law) KS {
	d, at := e.distance()
	return KS{
		Law: law, N: e.n, Distinct: len(e.values), D: d, At: at,
		Significance: Significance{PValue: KolmogorovSurvival(math.Sqrt(e.n) * d), Method: Asymptotic},
	}
}

// distance returns D and where it is.
func (e evaluated) distance() (d, at float64) {
	before := 0.0
	for i := range e.values {
		upTo := before + e.counts[i]
		if far := max(math.Abs(upTo/e.n-e.cdf[i]), math.Abs(e.cdf[i]-before/e.n)); far > d {
			d, at = far, e.values[i]
		}
		before = upTo
	}
	return d, at
}

// KolmogorovSurvival returns Pr{K > x} under Kolmogorov's limiting distribution of sqrt(n)
// D_n, with relative accuracy in the upper tail; 1 for x <= 0.
func KolmogorovSurvival(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x <= 0:
		return 1
	case x < 0.9:
		// CDF = sqrt(2π)/x sum over odd k of exp(-k²π²/(8x²)), which
		// converges fast for small x.
		t := math.Pi * math.Pi / (8 * x * x)
		sum := 0.0
		for k := 1.0; k < 20; k += 2 {
			sum += math.Exp(-k * k * t)
		}
		return 1 - math.Sqrt(2*math.Pi)/x*sum
	}
	// 2 sum (-1)^(k-1) exp(-2k²x²).
	sum, sign := 0.0, 1.0
	for k := 1.0; k < 20; k++ {
		sum += sign * math.Exp(-2*k*k*x*x)
		sign = -sign
	}
	return 2 * sum
}
