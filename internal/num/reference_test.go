package num

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// reference has the values of testdata/reference.json, computed with mpmath by reference.py.
type reference struct {
	Gamma []struct{ A, X, P, Q float64 }
	Psi   []struct {
		X, Digamma, Trigamma float64
		LnMinusDigamma       float64 `json:"ln_minus_digamma"`
		TrigammaMinusInverse float64 `json:"trigamma_minus_inverse"`
	}
	StirlingError []struct{ X, Y float64 } `json:"stirling_error"`
	Log1pmx       []struct{ X, Y float64 }
}

func readReference(t *testing.T) reference {
	t.Helper()
	data := jobtest.Must(os.ReadFile("testdata/reference.json"))
	var r reference
	jobtest.NoError(t, json.Unmarshal(data, &r))
	if len(r.Gamma) < 200 || len(r.Psi) == 0 || len(r.StirlingError) == 0 || len(r.Log1pmx) == 0 {
		t.Fatal("testdata/reference.json is not whole")
	}
	return r
}

// checkRelative allows an error relative to want, or an absolute error if want is 0.
func checkRelative(t *testing.T, what string, args []float64, got, want, tol float64) {
	t.Helper()
	e := math.Abs(got - want)
	if want != 0 {
		e /= math.Abs(want)
	}
	if !(e <= tol) {
		t.Errorf("%s%v = %.17g, want %.17g (relative error %.1e > %.0e)", what, args, got, want, e, tol)
	}
}
