package stats

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Methods of a p-value.
const (
	// Asymptotic is the limit for large samples, for a law that was not fitted to the
	// sample. For a fitted law it is too large with Kolmogorov-Smirnov and
	// Anderson-Darling.
	Asymptotic = "asymptotic"
	// ParametricBootstrap is the share of samples drawn from the law that are at least as
	// far from the law fitted to them as the data are from theirs.
	ParametricBootstrap = "parametric-bootstrap"
)

// Significance is the p-value of a test and how it was computed.
type Significance struct {
	PValue     float64 // probability of a statistic as large or larger, if the law is true
	Method     string  // Asymptotic or ParametricBootstrap
	Replicates int     // bootstrap: samples drawn; else 0
	Failed     int     // bootstrap: of these, how many could not be refitted
	Exceeded   int     // bootstrap: of these, how many had a statistic at least as large
	Seed       uint64  // bootstrap: the seed of the draws
}

// Tests selects the tests to make in addition to Kolmogorov-Smirnov, on the same
// replicates.
type Tests struct {
	AndersonDarling bool
	// Cells is the number of cells of the chi-square test, at least 2 and such
	// that it leaves a degree of freedom (ChiSquareCells proposes one); 0 for
	// no chi-square test.
	Cells int
	// Estimated is the number of the law's parameters that were estimated from the sample.
	// It reduces the degrees of freedom of the asymptotic chi-square test.
	Estimated int
}

// Goodness holds the results of the tests of one sample and one law.
type Goodness struct {
	KS        KS
	AD        AD        // if Tests.AndersonDarling
	ChiSquare ChiSquare // if Tests.Cells
	// Laws are the laws refitted to the replicates, in order, without the replicates that
	// could not be refitted.
	Laws []dist.Law
}

// evaluated is a sample with a law's two tails at its distinct values.
type evaluated struct {
	values, counts []float64
	cdf, survival  []float64 // survival is nil unless it was asked for
	n              float64   // the sum of counts
}

// evaluate checks a sample and takes the law's CDF at its values, and with
// tails the survival, both with relative accuracy where they are small. test
// is for the message of an error.
func evaluate(test string, values, counts []float64, law dist.Law, tails bool) (evaluated, error) {
	e := evaluated{values: values, counts: counts}
	var err error
	if e.n, err = sizeOf(test, "the sample", values, counts); err != nil {
		return e, err
	}
	e.cdf = make([]float64, len(values))
	if tails {
		e.survival = make([]float64, len(values))
	}
	for i, x := range values {
		f := law.CDF(x)
		e.cdf[i] = f
		if tails {
			s := 1 - f // exact enough where it is not the small one
			if f > 0.5 {
				s = law.Survival(x)
			}
			e.survival[i] = s
			f += s
		}
		if math.IsNaN(f) {
			return e, fmt.Errorf("stats: %s: the distribution's CDF at %g is not a number", test, x)
		}
	}
	return e, nil
}

// sizeOf returns the sum of a sample's counts, or what is wrong with it. test and sample are
// for the message.
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
