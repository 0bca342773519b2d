package stats

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// ChiSquare is the result of a chi-square test of goodness of fit.
type ChiSquare struct {
	Law              dist.Law // the law tested
	N                float64  // the size of the sample
	Cells            int      // number of cells
	Estimated        int      // parameters of the law that were estimated from the sample
	DegreesOfFreedom int      // Cells - 1 - Estimated, at least 1
	X2               float64  // sum over the cells of (observed - expected)²/expected
	Significance
}

// fewestExpected is the least number of values expected in a cell, by
// Cochran's rule.
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

// ChiSquareTest tests whether a sample, given as distinct ascending values with counts,
// comes from law. estimated is the number of the law's parameters that were estimated from
// the sample. The cells have equal probability under the law, so the count expected in each
// is the sample size divided by cells.
//
// The p-value is the upper tail of the chi-square distribution with cells - 1 - estimated
// degrees of freedom. This is the limit if the parameters are fitted to the counts of the
// cells. If they are fitted to the values, as is usual, X² is larger, at most like a
// chi-square with cells - 1 degrees of freedom (Chernoff and Lehmann 1954), so the p-value
// is somewhat too small. Cells narrower than the rounding of the data also make it too
// small. GoodnessOfFitBootstrap is not affected by either.
//
// Errors are those of KolmogorovSmirnov; also if cells - 1 - estimated is below 1.
func ChiSquareTest(values, counts []float64, law dist.Law, cells, estimated int) (ChiSquare, error) {
	if err := checkCells(cells, estimated); err != nil {
		return ChiSquare{}, err
	}
	e, err := evaluate("chi-square test", values, counts, law, false)
	if err != nil {
		return ChiSquare{}, err
	}
	return e.chiSquare(law, cells, estimated), nil
}

func checkCells(cells, estimated int) error {
	if cells < 2 || estimated < 0 || cells-1-estimated < 1 {
		return fmt.Errorf("stats: chi-square test with %d cells and %d estimated parameters, want at least 2 cells more than parameters", cells, estimated)
	}
	return nil
}

func (e evaluated) chiSquare(law dist.Law, cells, estimated int) ChiSquare {
	observed := make([]float64, cells)
	for i, f := range e.cdf {
		observed[min(int(f*float64(cells)), cells-1)] += e.counts[i]
	}
	expected := e.n / float64(cells)
	c := ChiSquare{Law: law, N: e.n, Cells: cells, Estimated: estimated, DegreesOfFreedom: cells - 1 - estimated}
	for _, o := range observed {
		d := o - expected
		c.X2 += d * d / expected
	}
	c.Significance = Significance{PValue: ChiSquareSurvival(c.X2, c.DegreesOfFreedom), Method: Asymptotic}
	return c
}

// ChiSquareSurvival returns Pr{X² > x} for the chi-square distribution with the given
// degrees of freedom, at least 1, with relative accuracy in the upper tail; 1 for x <= 0.
func ChiSquareSurvival(x float64, degrees int) float64 {
	if x <= 0 {
		return 1
	}
	return num.GammaQ(float64(degrees)/2, x/2)
}
