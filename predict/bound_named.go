package predict

import (
	"fmt"
	"strings"
)

// boundMakers are the predictors of bounds: those scored as a rule, then
// variants of them.
var boundMakers = []struct {
	name string
	make func(quantile, confidence float64, o BoundOptions) (BoundPredictor, error)
}{
	{"bmbp", func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewBMBP(q, c, o) }},
	{"chebyshev", func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewChebyshev(q, c, o) }},
	{"qbets", func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewQBETS(q, c, ByRequestedTime, o) }},
	{"bmbp-authors", func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewBMBPAuthors(q, c, o) }},
	{"chebyshev-one-sided", func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewChebyshevOneSided(q, c, o) }},
	{"log-normal", func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewLogNormal(q, c, o) }},
}

// usualBounds is how many of them are no variants.
const usualBounds = 3

// BoundNames returns the names of the predictors of bounds that are scored as
// a rule.
func BoundNames() []string { return namesOfBounds()[:usualBounds] }

// BoundVariants returns the names of variants of those.
func BoundVariants() []string { return namesOfBounds()[usualBounds:] }

func namesOfBounds() []string {
	var names []string
	for _, m := range boundMakers {
		names = append(names, m.name)
	}
	return names
}

// NewBound makes the predictor of bounds of that name, for a quantile and a
// confidence in (0, 1).
func NewBound(name string, quantile, confidence float64, o BoundOptions) (BoundPredictor, error) {
	for _, m := range boundMakers {
		if m.name == name {
			return m.make(quantile, confidence, o)
		}
	}
	return nil, fmt.Errorf("the predictor of bounds %q, want one of %s", name, strings.Join(namesOfBounds(), ", "))
}
