package stats

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Methods of a KS p-value.
const (
	Asymptotic          = "asymptotic"
	ParametricBootstrap = "parametric-bootstrap"
)

// KS is the result of a one-sample Kolmogorov-Smirnov test.
type KS struct {
	Law        dist.Law // the law tested
	N          float64  // the size of the sample
	Distinct   int      // how many distinct values it has
	D          float64  // the largest distance of the distribution functions, in [0, 1]
	At         float64  // the value where D is reached
	PValue     float64  // probability of a D as large or larger, if Law is true
	Method     string   // Asymptotic or ParametricBootstrap
	Replicates int      // bootstrap: samples drawn and refitted; else 0
	Failed     int      // bootstrap: of these, how many could not be refitted
	Seed       uint64   // bootstrap: the seed of the draws
}

// KolmogorovSmirnov tests whether a sample, given as distinct ascending
// values with counts, comes from law, which must not have been fitted to it:
// then the p-value is too kind, and KolmogorovSmirnovBootstrap is the way.
//
// D is the largest of |F_n(x) - F(x)| and |F(x) - F_n(x-)| over the values:
// Lublin and Feitelson's formula, with ties taken together. The p-value is
// the limit for large n of Pr{D_n >= D}, KolmogorovSurvival(sqrt(n) D). It is
// an error if there are no values, if the slices differ in length, or if the
// law's CDF is not a number somewhere.
func KolmogorovSmirnov(values, counts []float64, law dist.Law) (KS, error) {
	if len(values) == 0 || len(values) != len(counts) {
		return KS{}, fmt.Errorf("stats: Kolmogorov-Smirnov of %d values with %d counts, want as many of each and at least one", len(values), len(counts))
	}
	d, at, n := ksDistance(values, counts, law)
	if math.IsNaN(d) {
		return KS{}, fmt.Errorf("stats: Kolmogorov-Smirnov: the law's CDF at %g is not a number", at)
	}
	return KS{
		Law: law, N: n, Distinct: len(values), D: d, At: at,
		PValue: KolmogorovSurvival(math.Sqrt(n) * d), Method: Asymptotic,
	}, nil
}

// ksDistance returns D, where it is, and the sample's size; D is NaN if the
// CDF is, anywhere.
func ksDistance(values, counts []float64, law dist.Law) (d, at, n float64) {
	for _, c := range counts {
		n += c
	}
	before := 0.0
	for i, x := range values {
		f := law.CDF(x)
		if math.IsNaN(f) {
			return f, x, n
		}
		upTo := before + counts[i]
		if e := max(math.Abs(upTo/n-f), math.Abs(f-before/n)); e > d {
			d, at = e, x
		}
		before = upTo
	}
	return d, at, n
}

// KolmogorovSurvival returns Pr{K > x} of Kolmogorov's limiting law of
// sqrt(n) D_n, with relative accuracy in the upper tail; 1 for x <= 0.
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
