package dist

import (
	"fmt"
	"math"
)

// ParameterError says which parameter of a law is out of its range. It is
// what Validate returns.
type ParameterError struct {
	Family    string  // the law's name in JSON, such as "gamma"
	Parameter string  // the parameter's name in JSON, such as "shape"
	Value     float64 // what it was
	Want      string  // the allowed range, in words
}

func (e *ParameterError) Error() string {
	if math.IsInf(e.Value, 0) {
		return fmt.Sprintf("%s: %s is beyond 1.8e308, want %s", e.Family, e.Parameter, e.Want)
	}
	return fmt.Sprintf("%s: %s is %g, want %s", e.Family, e.Parameter, e.Value, e.Want)
}

// Validate returns nil, or an error that names the first parameter of l that
// is NaN, infinite or out of range. A law without a method of that name, and
// a nil law, are errors too.
func Validate(l Law) error {
	if v, ok := l.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return fmt.Errorf("dist: %T is not a distribution that can be validated", l)
}

const (
	wantPositive    = "a finite number above 0"
	wantFinite      = "a finite number"
	wantProbability = "a number from 0 to 1"
)

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func positive(x float64) bool { return x > 0 && !math.IsInf(x, 1) }
