package score

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// forgiven is the largest amount by which the coverage of a recommended predictor may be below
// its quantile.
const forgiven = 0.01

// BoundRecord is the past performance of one predictor's bounds at one
// quantile.
type BoundRecord struct {
	Quantile float64 // requested, in (0, 1)
	Coverage float64 // share of waits within their bounds
	Loss     float64 // mean pinball loss, in any unit
}

// Kept reports whether the coverage is at least the quantile minus one percentage point.
func (r BoundRecord) Kept() bool { return r.Coverage >= r.Quantile-forgiven }

// ClearlyBelow reports whether the coverage of the given number of waits is too low to be due to
// chance: if each wait were covered independently with probability Quantile, so few would be
// covered with a probability of at most 0.05.
func (r BoundRecord) ClearlyBelow(waits int) bool {
	covered := math.Round(r.Coverage * float64(waits))
	if !(r.Coverage < r.Quantile) || covered >= float64(waits) {
		return false
	}
	return mathext.RegIncBeta(float64(waits)-covered, covered+1, 1-r.Quantile) <= 0.05
}

// Better reports whether r should be recommended in preference to another record for the same
// quantile: a record that is Kept is better than one that is not; if both are, the smaller
// pinball loss is better; if neither is, the larger coverage.
func (r BoundRecord) Better(than BoundRecord) bool {
	switch kept := r.Kept(); {
	case kept != than.Kept():
		return kept
	case kept:
		return r.Loss < than.Loss
	}
	return r.Coverage > than.Coverage
}
