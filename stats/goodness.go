package stats

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// Methods of a p-value.
const (
	// Asymptotic is the limit for large samples, for a law that was not fitted to the
	// sample. For a fitted law it is too large with Kolmogorov-Smirnov and
	// Anderson-Darling.
	Asymptotic = "asymptotic"
	// ParametricBootstrap is the share of samples drawn from the law that are at least as far
	// from the law refitted to them as the data are from the law.
	ParametricBootstrap = "parametric-bootstrap"
	// NoPValue means that there is no p-value: the law was fitted to the sample, and no
	// replicates were drawn.
	NoPValue = "none"
)

// Significance is the p-value of a test and how it was computed.
type Significance struct {
	PValue     Number `json:"p_value"`    // probability of a statistic as large or larger, if the law is true; NaN for NoPValue
	Method     string `json:"method"`     // Asymptotic, ParametricBootstrap or NoPValue
	Replicates int    `json:"replicates"` // number of bootstrap replicates; 0 without a bootstrap
	*Refits           // nil without a bootstrap
}

// Refits describes the replicates of a parametric bootstrap: each is a sample
// drawn from the fitted law, to which the law is fitted again.
type Refits struct {
	Failed int `json:"failed"` // replicates to which the law could not be fitted
	// Asymptotic is the tabulated p-value, which is for a law that was not fitted to the sample.
	// For a fitted law it is too high with Kolmogorov-Smirnov and Anderson-Darling, and too low
	// with chi-square.
	Asymptotic Number `json:"p_value_asymptotic"`
}

// String returns the p-value with as many digits as the replicates resolve; "" without
// replicates.
func (s Significance) String() string {
	if s.Refits == nil {
		return ""
	}
	least := 1 / float64(1+s.Replicates-s.Failed) // the smallest p-value that the replicates can give
	digits := int(math.Ceil(-math.Log10(least) - 1e-9))
	if float64(s.PValue) <= least {
		scale := math.Pow10(digits)
		return fmt.Sprintf("< %.*f", digits, math.Ceil(least*scale-1e-9)/scale)
	}
	return fmt.Sprintf("%.*f", digits, float64(s.PValue))
}

// KS is the result of a Kolmogorov-Smirnov test of a sample against a law.
type KS struct {
	D float64 `json:"d" show:"distance,%.4f"` // the largest distance between the distribution functions at the distinct values, in [0, 1]
	Significance
}

// AD is the result of an Anderson-Darling test of a sample against a law.
type AD struct {
	A2 Number `json:"a2"` // at least 0; +Inf if the law cannot produce one of the values
	Significance
}

// ChiSquare is the result of a chi-square test of a sample against a law.
type ChiSquare struct {
	X2               Number `json:"x2"`                 // sum over the cells of (observed - expected)²/expected
	Cells            int    `json:"cells"`              // intervals of equal probability under the law
	DegreesOfFreedom int    `json:"degrees_of_freedom"` // Cells - 1 - Tests.Estimated, at least 1
	Significance
}

// Tests selects the tests to make in addition to Kolmogorov-Smirnov.
type Tests struct {
	AndersonDarling bool
	// Cells is the number of cells of the chi-square test, for which ChiSquareCells proposes a
	// value. It must be at least 2 and leave at least one degree of freedom; 0 means no
	// chi-square test.
	Cells int
	// Estimated is the number of the law's parameters that were estimated from the sample.
	// It reduces the degrees of freedom of the asymptotic chi-square test.
	Estimated int
}

// Goodness holds the results of testing one sample against one law.
type Goodness struct {
	KS        KS
	AD        *AD        // nil unless Tests.AndersonDarling
	ChiSquare *ChiSquare // nil unless Tests.Cells
	// Laws are the laws refitted to the replicates of a bootstrap, in order, without the
	// replicates that could not be refitted.
	Laws []dist.Law
}

// GoodnessOfFit tests whether a sample, given as distinct ascending values with counts,
// comes from law, with asymptotic p-values. If law was fitted to the sample these are
// wrong: use GoodnessOfFitBootstrap.
//
// It is an error if there are no values, if the slices differ in length, if values are NaN
// or not ascending, if a count is not above 0 and finite, if the law's CDF is NaN at a
// value, or if the chi-square test has no degree of freedom.
func GoodnessOfFit(values, counts []float64, law dist.Law, tests Tests) (Goodness, error) {
	if t := tests; t.Cells != 0 && (t.Cells < 2 || t.Estimated < 0 || t.Cells-1-t.Estimated < 1) {
		return Goodness{}, fmt.Errorf("stats: chi-square test with %d cells and %d estimated parameters, want at least 2 cells more than parameters", t.Cells, t.Estimated)
	}
	n, err := sizeOf("goodness of fit", "the sample", values, counts)
	if err != nil {
		return Goodness{}, err
	}
	cdf := make([]float64, len(values))
	for i, x := range values {
		if cdf[i] = law.CDF(x); math.IsNaN(cdf[i]) {
			return Goodness{}, fmt.Errorf("stats: goodness of fit: the distribution's CDF at %g is not a number", x)
		}
	}
	d := kolmogorovDistance(counts, cdf, n)
	g := Goodness{KS: KS{d, asymptotic(KolmogorovSurvival(math.Sqrt(n) * d))}}
	if tests.AndersonDarling {
		a2 := andersonDarling(values, counts, cdf, law, n)
		g.AD = &AD{Number(a2), asymptotic(AndersonDarlingSurvival(a2))}
	}
	if tests.Cells > 0 {
		x2, degrees := chiSquare(counts, cdf, n, tests.Cells), tests.Cells-1-tests.Estimated
		g.ChiSquare = &ChiSquare{Number(x2), tests.Cells, degrees, asymptotic(ChiSquareSurvival(x2, degrees))}
	}
	return g, nil
}

func asymptotic(p float64) Significance { return Significance{PValue: Number(p), Method: Asymptotic} }

// Significances returns pointers to the p-values of the tests that were made, through which a
// caller may change them.
func (g *Goodness) Significances() []*Significance {
	all := []*Significance{&g.KS.Significance}
	if g.AD != nil {
		all = append(all, &g.AD.Significance)
	}
	if g.ChiSquare != nil {
		all = append(all, &g.ChiSquare.Significance)
	}
	return all
}

// statistics returns the statistics of the tests that were made, in the order of Significances.
func (g *Goodness) statistics() []float64 {
	all := []float64{g.KS.D}
	if g.AD != nil {
		all = append(all, float64(g.AD.A2))
	}
	if g.ChiSquare != nil {
		all = append(all, float64(g.ChiSquare.X2))
	}
	return all
}

// kolmogorovDistance returns the largest of |F_n(x) - F(x)| and |F(x) - F_n(x-)| over the values
// x, the formula of Lublin and Feitelson (2003) with ties taken together.
func kolmogorovDistance(counts, cdf []float64, n float64) (d float64) {
	before := 0.0
	for i, f := range cdf {
		upTo := before + counts[i]
		d = max(d, math.Abs(upTo/n-f), math.Abs(f-before/n))
		before = upTo
	}
	return d
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

// andersonDarling returns n times the integral of (F_n - F)²/(F (1-F)) dF, computed from the
// order statistics
//
//	A² = -n - 1/n sum_i (2i-1) (ln F(x_i) + ln S(x_(n+1-i))),
//
// Anderson and Darling (1954), "A test of goodness of fit". It gives more weight to the tails
// than Kolmogorov-Smirnov. Tied values have separate ranks in the sum, so that it still equals
// the integral. But ties increase it (a value with c of n jobs by at least about c²/n), and the
// limiting distribution assumes none, so the p-value of rounded data is too small. The bootstrap,
// which rounds its replicates, does not have this problem.
//
// A² is infinite if the sample has a value that the law cannot produce, or only with a
// probability that underflows. The code sums n A², whose terms are whole numbers times
// logarithms.
func andersonDarling(values, counts, cdf []float64, law dist.Law, n float64) float64 {
	var sum num.Sum
	sum.Add(-n * n)
	before := 0.0
	for i, f := range cdf {
		s := 1 - f // accurate enough unless it is the smaller of the two
		if f > 0.5 {
			s = law.Survival(values[i])
		}
		if !(f > 0) || !(s > 0) {
			return math.Inf(1)
		}
		lnF, lnS := math.Log(f), math.Log(s)
		if f > 0.5 {
			lnF = math.Log1p(-s)
		} else {
			lnS = math.Log1p(-f)
		}
		c := counts[i]
		upTo := before + c
		// The sums of 2i-1 over the ranks that tie, from below and from above.
		sum.Add(-c * (before + upTo) * lnF)
		sum.Add(-c * (2*n - before - upTo) * lnS)
		before = upTo
	}
	return max(0, sum.Value()/n)
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

// chiSquare returns the statistic for cells of equal probability under the law. The expected
// count of each is the sample size divided by cells.
//
// The chi-square distribution with cells - 1 - estimated degrees of freedom is the limit if
// the parameters are fitted to the counts of the cells. If they are fitted to the values, as
// is usual, X² is larger, at most like a chi-square with cells - 1 degrees of freedom
// (Chernoff and Lehmann 1954), so the p-value is somewhat too small. Cells narrower than the
// rounding of the data also make it too small. The bootstrap is not affected by either.
func chiSquare(counts, cdf []float64, n float64, cells int) (x2 float64) {
	observed := make([]float64, cells)
	for i, f := range cdf {
		observed[min(int(f*float64(cells)), cells-1)] += counts[i]
	}
	expected := n / float64(cells)
	for _, o := range observed {
		x2 += (o - expected) * (o - expected) / expected
	}
	return x2
}

// fewestExpected is the smallest acceptable expected count of a cell, by Cochran's rule.
const fewestExpected = 5

// ChiSquareCells proposes a number of cells for a sample of n values: 2 n^(2/5), the order
// at which the test is most powerful (Moore 1986, in D'Agostino and Stephens,
// "Goodness-of-fit techniques", section 3.2.4), but at most n/5, so that at least 5 values
// are expected in each. It is 0 for n < 10.
func ChiSquareCells(n float64) int {
	cells := int(min(2*math.Pow(n, 0.4), n/fewestExpected))
	if cells < 2 {
		return 0
	}
	return cells
}

// ChiSquareSurvival returns Pr{X² > x} for the chi-square distribution with the given
// degrees of freedom, at least 1, with relative accuracy in the upper tail; 1 for x <= 0.
func ChiSquareSurvival(x float64, degrees int) float64 {
	if x <= 0 {
		return 1
	}
	return num.GammaQ(float64(degrees)/2, x/2)
}

// sizeOf returns the sum of a sample's counts, or an error if the sample is not valid. test and
// sample are their names in the message.
func sizeOf(test, sample string, values, counts []float64) (float64, error) {
	if len(values) == 0 || len(values) != len(counts) {
		return 0, fmt.Errorf("stats: %s: %s has %d values with %d counts, want as many of each and at least one", test, sample, len(values), len(counts))
	}
	n := 0.0
	for i, c := range counts {
		if v := values[i]; math.IsNaN(v) || i > 0 && !(v > values[i-1]) {
			return 0, fmt.Errorf("stats: %s: value %d of %s is %g, want ascending numbers", test, i, sample, v)
		}
		if !(c > 0) || math.IsInf(c, 1) {
			return 0, fmt.Errorf("stats: %s: count %d of %s is %g, want a finite number above 0", test, i, sample, c)
		}
		n += c
	}
	return n, nil
}
