package longtest

import (
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// CheckCounts checks n counts by value, from 0, against the probabilities p with a chi-square test,
// which fails by chance with probability falseAlarm. Values that are expected fewer than ten times
// are combined.
func CheckCounts(t testing.TB, what string, counts map[int64]int, p []float64, n int, falseAlarm float64) {
	t.Helper()
	var chi2, restWant float64
	cells, rest, seen := 0, 0, 0
	add := func(got, want float64) {
		chi2 += (got - want) * (got - want) / want
		cells++
	}
	for size, p := range p {
		got, want := counts[int64(size)], p*float64(n)
		seen += got
		switch {
		case p == 0 && got > 0:
			t.Errorf("%s: %d where there is none", what, size)
		case want < 10:
			rest, restWant = rest+got, restWant+want
		default:
			add(float64(got), want)
		}
	}
	if restWant >= 10 {
		add(float64(rest), restWant)
	}
	if seen != n {
		t.Errorf("%s: %d of %d lie in the distribution's range", what, seen, n)
	}
	if cells < 2 {
		return // everything is in one cell, and the check of seen suffices
	}
	if limit := (distuv.ChiSquared{K: float64(cells - 1)}).Quantile(1 - falseAlarm); !(chi2 <= limit) {
		t.Errorf("%s: chi-square %.1f over %d cells, want at most %.1f", what, chi2, cells, limit)
	}
}
