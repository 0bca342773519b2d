package predict

import (
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// BoundMethod is a method of predicting bounds, or waits (Point), in the list in which
// names are looked up. A method with parameters is a function that returns a BoundMethod.
type BoundMethod struct {
	// Name is the name of its predictors in options and results, such as
	// "bmbp".
	Name string
	// New returns a predictor without history for a quantile and a confidence,
	// both in (0, 1). The error names the one, or the option, that the method
	// does not support.
	New func(quantile, confidence float64, o BoundOptions) (BoundPredictor, error)
	// Point marks a method that predicts the wait itself, not a bound of it, and is
	// scored so. It ignores the quantile and the confidence.
	Point bool
}

// BoundMethods returns the methods of this package, to which a caller may
// append custom ones (BoundOptions.Methods): those scored by default, then
// variants of them, then those that share what they learn (NewBounds).
func BoundMethods() []BoundMethod {
	return []BoundMethod{
		{"bmbp", func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewBMBP(q, c, o) }, false},
		{"chebyshev", func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewChebyshev(q, c, o) }, false},
		{"qbets", func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewQBETS(q, c, o) }, false},
		{"bmbp-authors", func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewBMBPAuthors(q, c, o) }, false},
		{"chebyshev-one-sided", func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewChebyshevOneSided(q, c, o) }, false},
		{ConformalBound, func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewBound(ConformalBound, q, c, o) }, false},
		{ConformalPoint, func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewBound(ConformalPoint, q, c, o) }, true},
	}
}

// usualBounds is how many of them are no variants.
const usualBounds = 3

// BoundNames returns the names of the predictors of bounds that are scored by
// default.
func BoundNames() []string { return namesOfBounds(BoundMethods())[:usualBounds] }

// BoundVariants returns the names of the other predictors of bounds, which are
// scored on request only: variants of those of BoundNames, and the Conformal.
func BoundVariants() []string { return namesOfBounds(BoundMethods())[usualBounds:] }

func namesOfBounds(methods []BoundMethod) []string {
	var names []string
	for _, m := range methods {
		names = append(names, m.Name)
	}
	return names
}

// IsPoint reports whether the method of that name predicts the wait itself
// (BoundMethod.Point). The methods are as in BoundOptions.
func IsPoint(name string, methods []BoundMethod) bool {
	return slices.ContainsFunc(orBoundMethods(methods), func(m BoundMethod) bool { return m.Name == name && m.Point })
}

func orBoundMethods(methods []BoundMethod) []BoundMethod {
	if methods == nil {
		return BoundMethods()
	}
	return methods
}

// NewBound returns the predictor of bounds of that name, for a quantile and a
// confidence in (0, 1). An unknown name and a level out of range are a *workload.OptionError.
func NewBound(name string, quantile, confidence float64, o BoundOptions) (BoundPredictor, error) {
	all, err := NewBounds([]string{name}, []float64{quantile}, confidence, o)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// NewBounds returns the predictors of those names for each of the quantiles,
// sorted by name and then by quantile; a method of points comes once. Predictors
// that share a Conformal must be used in the same replay.
func NewBounds(names []string, quantiles []float64, confidence float64, o BoundOptions) ([]BoundPredictor, error) {
	methods := orBoundMethods(o.Methods)
	var all []BoundPredictor
	var shared *Conformal
	for _, name := range names {
		i := slices.Index(namesOfBounds(methods), name)
		if i < 0 {
			return nil, workload.OptionFault("predictors", strconv.Quote(name), "one of %s", strings.Join(namesOfBounds(methods), ", "))
		}
		for _, q := range quantiles {
			if methods[i].Point {
				break
			}
			if err := checkLevels(q, confidence); err != nil {
				return nil, err
			}
		}
		if name != ConformalBound && name != ConformalPoint {
			for _, q := range quantiles {
				p, err := methods[i].New(q, confidence, o)
				if err != nil {
					return nil, err
				}
				all = append(all, p)
				if methods[i].Point {
					break
				}
			}
			continue
		}
		if shared == nil {
			var err error
			if shared, err = NewConformal(ConformalQuantiles(quantiles...), confidence, o); err != nil {
				return nil, err
			}
		}
		if name == ConformalPoint {
			all = append(all, shared.Point())
			continue
		}
		for _, q := range quantiles {
			all = append(all, shared.Bound(q))
		}
	}
	return all, nil
}
