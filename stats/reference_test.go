package stats

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// reference is testdata/reference.json: values of NumPy, SciPy, mpmath and
// exact fractions, by reference.py.
type reference struct {
	Kolmogorov []struct{ X, Survival float64 }
	KS         struct {
		Sample []float64
		Tests  []struct {
			Shape, Scale, D float64
			PValue          float64 `json:"p_value"`
		}
	}
	Quantiles []struct {
		Values, P, Quantiles []float64
		Mean                 float64
		Variance             *float64
	}
	Line struct {
		X, Y                []float64
		Slope, Intercept, R float64
	}
	Ranks []OrderStatistic
}

func readReference(t *testing.T) reference {
	return longtest.ReadJSON[reference](t, "testdata/reference.json")
}

// near reports whether got equals want up to a relative error of tol.
func near(got, want, tol float64) bool {
	return got == want || math.Abs(got-want) <= tol*math.Abs(want)
}
