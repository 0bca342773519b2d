package tails

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/fit/internal/points"
)

// cellsOf is a sample of ln x from cells of x, with counts.
func cellsOf(cells [][3]float64) points.Set {
	s := points.Set{Linear: true, Cells: &points.Cells{}}
	for _, c := range cells {
		s.Add(math.Log(c[0]), math.Log(c[1]), c[2])
	}
	s.Sort()
	return s
}

// exact is a sample of ln x from values of x, one job each.
func exact(values ...float64) points.Set {
	s := points.Set{Linear: true}
	for _, v := range values {
		s.X, s.W = append(s.X, math.Log(v)), append(s.W, 1)
	}
	return s
}

// TestWeibullOfCells: shares of two cells and what lies beyond fix both
// parameters. With survival exp(-(x/5)^2) at 3 and at 7 the law is that one.
func TestWeibullOfCells(t *testing.T) {
	at := func(x float64) float64 { return math.Exp(-(x / 5) * (x / 5)) }
	s := cellsOf([][3]float64{{3, 7, 1000 * (at(3) - at(7))}, {7, math.Inf(1), 1000 * at(7)}})
	s.Add(math.Inf(-1), math.Log(3), 1000*(1-at(3)))
	s.Sort()
	c := New(s, math.Inf(1), 1)
	got, _, converged := c.Weibull(dist.Weibull{Shape: 1, Scale: 3})
	if !converged {
		t.Error("not converged")
	}
	fittest.Relative(t, "shape", got.Shape, 2, 1e-5)
	fittest.Relative(t, "scale", got.Scale, 5, 1e-5)
	want := 1000 * ((1-at(3))*math.Log(1-at(3)) + (at(3)-at(7))*math.Log(at(3)-at(7)) - at(7)*0.04*49)
	fittest.Relative(t, "log-likelihood", c.LogLikelihood(dist.Weibull{Shape: 2, Scale: 5}), want, 1e-12)
}

// TestWeibullMLOfTwoValues: of a and 1/a the likeliest shape c solves, with
// y = ln a, c y tanh(c y) = 1, since both values are as far from the middle: c y is
// 1.19967864025773 (the root of z tanh z = 1, the Laplace limit's constant in
// OEIS A085984), and the scale is cosh(c y)^(1/c).
func TestWeibullMLOfTwoValues(t *testing.T) {
	const z = 1.19967864025773
	for _, y := range []float64{0.01, 1, 50} {
		got, ok := WeibullML([]float64{math.Exp(-y), math.Exp(y)}, []float64{1, 1}, y)
		if !ok {
			t.Fatalf("no distribution of values %g apart", 2*y)
		}
		fittest.Relative(t, "shape", got.Shape, z/y, 1e-11)
		fittest.Relative(t, "scale", got.Scale, math.Exp(math.Log(math.Cosh(z))*y/z), 1e-11)
	}
}

// TestLawUnderACut: the likelihood of a cut law is that of the whole one less the
// logarithm of the probability below the cut, for each job.
func TestLawUnderACut(t *testing.T) {
	s := exact(1, 2, 3)
	of := dist.Weibull{Shape: 0.7, Scale: 2}
	want := -3 * math.Log(of.CDF(4))
	for _, v := range []float64{1, 2, 3} {
		want += of.LogPDF(v)
	}
	fittest.Relative(t, "log-likelihood", New(s, math.Log(4), 1).LogLikelihood(of), want, 1e-12)
}

// TestNarrowCells: a cell so narrow that its two ends have one survival in floating
// point has the probability of density times width, not 0.
func TestNarrowCells(t *testing.T) {
	const width = 1e-18
	l := weibullOfLn{1.3, 0.2}
	fittest.Relative(t, "weibull", l.lnMass(0.5, 0.5+width, width), l.lnDensity(0.5)+math.Log(width), 1e-12)
}

// TestWeibullOfTinyProbabilities: where the hazard z = shape (y - mu) of a cell's
// ends is e^-800 and less, which no floating-point number is, the probability of
// a cell of width w is e^z expm1(shape w), and that below its end e^z: of width 1
// and shape 1, ln(e - 1) is 0.541324854612918.
func TestWeibullOfTinyProbabilities(t *testing.T) {
	for _, z := range []float64{-800, -740, -690, -650} {
		fittest.Relative(t, "of a cell", weibullOfLn{1, 5}.lnMass(5+z, 6+z, 1), z+0.541324854612918, 1e-14)
		fittest.Relative(t, "of a cell, shape 2", weibullOfLn{2, 5}.lnMass(5+z/2, 5.5+z/2, 0.5), z+0.541324854612918, 1e-14)
		fittest.Relative(t, "below an end", weibullOfLn{2, 5}.lnMass(math.Inf(-1), 5+z/2, math.Inf(1)), z, 1e-14)
	}
}

func TestLnRatio(t *testing.T) {
	for _, c := range [][3]float64{
		{1 + 1e-9, 1, 1e-9 - 5e-19},                                 // ln(1+e) = e - e²/2
		{1e200, 1e-200, 400 * math.Ln10},                            // a/b overflows
		{math.MaxFloat64, math.MaxFloat64 / 2, math.Ln2}, {3, 3, 0}, // no rounding
	} {
		fittest.Relative(t, "ln ratio", LnRatio(c[0], c[1]), c[2], 1e-7)
	}
}
