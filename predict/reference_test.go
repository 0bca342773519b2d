package predict

import (
	"math"
	"testing"
)

// testdata/reference.json is made by reference.py with SciPy.
func TestAutocorrelation(t *testing.T) {
	var reference struct {
		Autocorrelation []struct {
			Name  string
			Waits []float64
			Lag1  float64 `json:"lag_1"`
		}
	}
	readJSON(t, "testdata/reference.json", &reference)
	if len(reference.Autocorrelation) == 0 {
		t.Fatal("testdata/reference.json is empty")
	}
	a := new(autocorrelation) // shared: it keeps no state between calls
	for _, c := range reference.Autocorrelation {
		if got := a.of(c.Waits); math.Abs(got-c.Lag1) > 1e-12 {
			t.Errorf("%s: %.15g, want %.15g", c.Name, got, c.Lag1)
		}
	}
	for _, short := range [][]float64{nil, {1}, {1, 2}} {
		if got := a.of(short); got != 0 {
			t.Errorf("of %v: %g, want 0", short, got)
		}
	}
}
