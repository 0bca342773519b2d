package em

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
)

// TestNormalCells: masses are those of package dist where no digits are lost,
// means those of the closed forms; and the series, the panels and the far tail
// agree where two of them hold.
func TestNormalCells(t *testing.T) {
	standard := dist.Normal{Mu: 0, Sigma: 1}
	phi := func(z float64) float64 { return math.Exp(standard.LogPDF(z)) }
	inf := math.Inf(1)
	for _, c := range [][2]float64{{-inf, 0}, {-inf, -3}, {-1, 2}, {0.5, 1.5}, {3, inf}, {-0.2, inf}, {-9, -4}, {30, inf}, {-inf, 8}} {
		a, b := c[0], c[1]
		m := standard.CDF(b) - standard.CDF(a)
		if a > 0 {
			m = standard.Survival(a) - standard.Survival(b)
		}
		got := normalCell(a, b)
		fittest.Near(t, "ln mass", got.LnMass, math.Log(m), 1e-12*max(1, -math.Log(m)))
		fittest.Near(t, "mean", got.A, (phi(a)-phi(b))/m, 1e-11*max(1, math.Abs(a), 1))
		edge := func(z float64) float64 {
			if math.IsInf(z, 0) {
				return 0
			}
			return z * phi(z)
		}
		fittest.Relative(t, "mean square", got.B, 1+(edge(a)-edge(b))/m, 1e-10)
	}
	for _, at := range []float64{0, 0.3, -2, 7, -25} {
		half := math.Sqrt(narrowCells/(at*at+1)) * 0.999
		series, ok := narrowNormal(at, half)
		if !ok {
			t.Fatalf("a cell of %g ± %g is not narrow", at, half)
		}
		panels := normalCell(at-half, at+half)
		fittest.Near(t, "ln mass of a narrow cell", series.LnMass+math.Log(2*half), panels.LnMass, 1e-12*max(1, math.Abs(panels.LnMass)))
		fittest.Near(t, "mean of a narrow cell", series.A, panels.A, 1e-11*max(1, math.Abs(at)))
		fittest.Near(t, "mean square of a narrow cell", series.B, panels.B, 1e-12*max(1, at*at))
	}
	// Pr{Z > 1000} is below what a float64 holds: its logarithm is
	// -z²/2 - ln(z sqrt(2π)) + ln(1 - 1/z² + ...).
	fittest.Near(t, "ln mass far out", normalCell(1000, inf).LnMass, -5e5-math.Log(1000)-lnSqrt2Pi-1e-6, 1e-9)
}
