package figure

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Law is a fitted law to draw: a name for the legend and what is drawn of it,
// over the jobs that the sample beside it has.
type Law struct {
	Name string
	// CDF is the share of jobs whose quantity is at most x.
	CDF func(x float64) float64
	// Density is the share of jobs per unit of ln x, at x: x times the
	// density of the quantity. Where it is nil the law is not in densities.
	Density func(x float64) float64
}

// Transform is what a law is of: the quantity itself or a logarithm. The names
// are those of package fit's transforms.
type Transform string

// The transforms.
const (
	None Transform = "none" // the quantity itself
	Ln   Transform = "ln"   // its natural logarithm
	Log2 Transform = "log2" // its binary logarithm
)

// NewLaw returns what is drawn of a fitted law. A law of a logarithm is fitted
// without the jobs where that is not positive: below is their share, and they
// stand below the law. It is an error if the transform is unknown or below no
// share.
func NewLaw(name string, law dist.Law, of Transform, below float64) (Law, error) {
	if !(below >= 0 && below <= 1) {
		return Law{}, fmt.Errorf("figure: %s: the share below the distribution is %g, want 0 to 1", name, below)
	}
	// apply is the transform, and slope ln of its derivative by ln x.
	var apply, slope func(x float64) float64
	switch of {
	case None:
		apply, slope = func(x float64) float64 { return x }, math.Log
	case Ln:
		apply, slope = math.Log, func(float64) float64 { return 0 }
	case Log2:
		apply, slope = math.Log2, func(float64) float64 { return -math.Log(math.Ln2) }
	default:
		return Law{}, fmt.Errorf("figure: %s: transform is %q, want one of %s, %s, %s", name, string(of), None, Ln, Log2)
	}
	density := dist.LogDensity(law)
	return Law{
		Name:    name,
		CDF:     func(x float64) float64 { return below + (1-below)*law.CDF(apply(x)) },
		Density: func(x float64) float64 { return (1 - below) * math.Exp(density(apply(x))+slope(x)) },
	}, nil
}
