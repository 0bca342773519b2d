package score

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// forgiven is how far below the quantile the coverage of a recommended predictor may be.
const forgiven = 0.01

// BoundRecord is the past performance of one predictor's bounds at one
// quantile.
type BoundRecord struct {
	Quantile float64 // requested, in (0, 1)
	Coverage float64 // the share of waits within their bounds
	Loss     float64 // the mean pinball loss, in any unit
}

// Kept reports whether the coverage is the quantile or more, less one percentage point.
func (r BoundRecord) Kept() bool { return r.Coverage >= r.Quantile-forgiven }

// ClearlyBelow reports whether a coverage of so many waits is too low to be chance: with
// probability 0.05 at most, that few waits would be covered if each were with probability
// Quantile, independently of the others.
func (r BoundRecord) ClearlyBelow(waits int) bool {
	covered := math.Round(r.Coverage * float64(waits))
	if !(r.Coverage < r.Quantile) || covered >= float64(waits) {
		return false
	}
	return mathext.RegIncBeta(float64(waits)-covered, covered+1, 1-r.Quantile) <= 0.05
}

// Better reports whether r is to be recommended before another record of the same quantile:
// a record that is kept before one that is not, then the smaller pinball loss where both are
// kept, the larger coverage where neither is.
func (r BoundRecord) Better(than BoundRecord) bool {
	switch kept := r.Kept(); {
	case kept != than.Kept():
		return kept
	case kept:
		return r.Loss < than.Loss
	}
	return r.Coverage > than.Coverage
}
