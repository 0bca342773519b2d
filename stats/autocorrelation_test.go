package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestAutocorrelationAgainstStatsmodels(t *testing.T) {
	for _, r := range readSeriesReference(t).Autocorrelation {
		a := NewAutocorrelation(r.Lags...)
		// The last series has a mean of 1e6 and varies by 100: eight of sixteen digits are lost,
		// as documented.
		sum, squares := 0.0, 0.0
		for _, x := range r.Series {
			a.Add(x)
			sum, squares = sum+x, squares+x*x
		}
		n := float64(len(r.Series))
		tol := 1e-13 * squares / (squares - sum*sum/n)
		for i, got := range a.R() {
			if math.Abs(got-r.R[i]) > tol {
				t.Errorf("%d values, lag %d: %.15g, want %.15g within %.1e", len(r.Series), r.Lags[i], got, r.R[i], tol)
			}
		}
	}
}

func TestAutocorrelationWithoutMeaning(t *testing.T) {
	short, flat := NewAutocorrelation(1, 5), NewAutocorrelation(1)
	for _, x := range []float64{1, 2, 4, 1, 7} {
		short.Add(x)
		flat.Add(0.1)
	}
	if r := short.R(); math.IsNaN(r[0]) || !math.IsNaN(r[1]) {
		t.Errorf("five values at lags 1 and 5: %v", r)
	}
	if r := flat.R(); !math.IsNaN(r[0]) {
		t.Errorf("equal values: %v", r)
	}
	if r := NewAutocorrelation(2).R(); !math.IsNaN(r[0]) {
		t.Errorf("no value: %v", r)
	}
}

// Adding a run equals adding its values one by one.
func TestAutocorrelationRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lags := []int{1, 3, 7}
		runs, single := NewAutocorrelation(lags...), NewAutocorrelation(lags...)
		for range rapid.IntRange(1, 8).Draw(t, "runs") {
			x, count := float64(rapid.IntRange(0, 4).Draw(t, "x")), rapid.IntRange(0, 30).Draw(t, "count")
			runs.AddRun(x, float64(count))
			for range count {
				single.Add(x)
			}
		}
		got, want := runs.R(), single.R()
		for i := range want {
			// Sums of small whole numbers are exact.
			if got[i] != want[i] && !(math.IsNaN(got[i]) && math.IsNaN(want[i])) {
				t.Fatalf("lag %d: %v in runs, %v one by one", lags[i], got[i], want[i])
			}
		}
		if runs.N() != single.N() {
			t.Fatalf("%v values in runs, %v one by one", runs.N(), single.N())
		}
	})
}
