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
	Cells            int      // cells that are counted
	Estimated        int      // parameters of the law that were estimated from the sample
	DegreesOfFreedom int      // Cells - 1 - Estimated, at least 1
	X2               float64  // sum over the cells of (observed - expected)²/expected
	Significance
}

// fewestExpected is the least number of values expected in a cell, by
// Cochran's rule.
const fewestExpected = 5

// ChiSquareCells returns a number of cells for a sample of n values:
// 2 n^(2/5), the order at which the test is most powerful (Moore 1986, in
// D'Agostino and Stephens, "Goodness-of-fit techniques", section 3.2.4), and
// at most n/5, so that 5 values are expected in each. It is 0 below n = 10.
func ChiSquareCells(n float64) int {
	cells := int(min(2*math.Pow(n, 0.4), n/fewestExpected))
	if cells < 2 {
		return 0
	}
	return cells
}

// ChiSquareTest tests whether a sample, given as distinct ascending values
// with counts, comes from law, of which estimated parameters were estimated
// from the sample. The cells are equally probable under the law: an expected
// count is the size of the sample over their number.
//
// The p-value is the upper tail of the chi-square law with
// cells - 1 - estimated degrees of freedom. That is its limit where the
// parameters are fitted to the cells' counts; fitted to the values themselves,
// as is usual, X² is larger, up to a chi-square of cells - 1 (Chernoff and
// Lehmann 1954), so that this p-value is rather too small. Cells that are
// narrower than the rounding of the data also make it too small. Neither
// touches the p-value of GoodnessOfFitBootstrap.
//
// Errors are those of KolmogorovSmirnov; also if cells - 1 - estimated is
// below 1.
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
	expected := make([]float64, cells)
	for i := range expected {
		expected[i] = e.n / float64(cells)
	}
	return newChiSquare(law, observed, expected, estimated)
}

// newChiSquare is the test of observed against expected counts by cell.
func newChiSquare(law dist.Law, observed, expected []float64, estimated int) ChiSquare {
	c := ChiSquare{Law: law, Cells: len(observed), Estimated: estimated, DegreesOfFreedom: len(observed) - 1 - estimated}
	for i, o := range observed {
		d := o - expected[i]
		c.X2 += d * d / expected[i]
		c.N += o
	}
	c.Significance = Significance{PValue: ChiSquareSurvival(c.X2, c.DegreesOfFreedom), Method: Asymptotic}
	return c
}

// ChiSquareSurvival returns Pr{X² > x} of the chi-square law with that many
// degrees of freedom, at least 1, with relative accuracy in the upper tail; 1
// for x <= 0.
func ChiSquareSurvival(x float64, degrees int) float64 {
	if x <= 0 {
		return 1
	}
	return num.GammaQ(float64(degrees)/2, x/2)
}

// ChiSquareOfSamples tests whether two samples, the observed and one drawn
// from a model, come from one law, as Lublin and Feitelson (2003), section
// 3.3.2, do where the model has no formula for its distribution function: the
// expected counts are those of the model's sample, by preference of the same
// size as the observed, else scaled to it.
//
// The paper leaves the subranges open. Here each holds at least one cells-th,
// and at least 5, of the model's sample, and no value is split, so that both
// samples being rounded alike does no harm. There can be fewer of them than
// cells where values repeat.
//
// The p-value is the table's, with (cells used) - 1 - estimated degrees of
// freedom. It is too small: the expected counts are themselves random, and
// samples of equal size make X² twice as large on average as the table
// supposes. The bootstrap's p-value of the same statistic is right.
//
// It is an error if a sample is empty, if its slices differ in length, or if
// fewer than 1 degree of freedom is left.
func ChiSquareOfSamples(values, counts, modelValues, modelCounts []float64, cells, estimated int) (ChiSquare, error) {
	if err := checkCells(cells, estimated); err != nil {
		return ChiSquare{}, err
	}
	if len(values) == 0 || len(values) != len(counts) || len(modelValues) == 0 || len(modelValues) != len(modelCounts) {
		return ChiSquare{}, fmt.Errorf("stats: chi-square test of %d values with %d counts against %d with %d, want as many of each and at least one",
			len(values), len(counts), len(modelValues), len(modelCounts))
	}
	observed, expected := subranges(values, counts, modelValues, modelCounts, cells)
	if len(observed)-1-estimated < 1 {
		return ChiSquare{}, fmt.Errorf("stats: chi-square test against samples: %d subranges hold at least %d samples each, want at least 2 more than the %d estimated parameters",
			len(observed), fewestExpected, estimated)
	}
	return newChiSquare(nil, observed, expected, estimated), nil
}

// subranges counts both samples in subranges that are closed as soon as they
// hold their share of the model's sample; what is left at the end goes to the
// last one.
func subranges(values, counts, modelValues, modelCounts []float64, cells int) (observed, expected []float64) {
	n, model := total(counts), total(modelCounts)
	least := max(model/float64(cells), fewestExpected)
	next := 0
	var inObserved, inModel float64
	for i, top := range modelValues {
		inModel += modelCounts[i]
		for next < len(values) && values[next] <= top {
			inObserved += counts[next]
			next++
		}
		if inModel >= least {
			observed, expected = append(observed, inObserved), append(expected, inModel*n/model)
			inObserved, inModel = 0, 0
		}
	}
	for ; next < len(values); next++ {
		inObserved += counts[next]
	}
	if last := len(observed) - 1; last >= 0 {
		observed[last] += inObserved
		expected[last] += inModel * n / model
	}
	return observed, expected
}

func total(counts []float64) float64 {
	n := 0.0
	for _, c := range counts {
		n += c
	}
	return n
}
