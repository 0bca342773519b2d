package fit

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Transform is the function applied to an attribute before a law is fitted to
// it.
type Transform string

// The transforms.
const (
	None Transform = "none" // the attribute itself
	Ln   Transform = "ln"   // its natural logarithm
	Log2 Transform = "log2" // its binary logarithm
)

// Validate returns an error that lists the transforms if t is not one of them.
func (t Transform) Validate() error {
	switch t {
	case None, Ln, Log2:
		return nil
	}
	return fmt.Errorf("transform is %q, want one of %s, %s, %s", string(t), None, Ln, Log2)
}

// Apply transforms v > 0.
func (t Transform) Apply(v float64) float64 {
	switch t {
	case Ln:
		return math.Log(v)
	case Log2:
		return math.Log2(v)
	}
	return v
}

// Invert returns the inverse of Apply.
func (t Transform) Invert(x float64) float64 {
	switch t {
	case Ln:
		return math.Exp(x)
	case Log2:
		return math.Exp2(x)
	}
	return x
}

// logJacobian is ln of dx/dv at v: what is added to the log-density of x to
// get that of v.
func (t Transform) logJacobian(v float64) float64 {
	switch t {
	case Ln:
		return -math.Log(v)
	case Log2:
		return -math.Log(v * math.Ln2)
	}
	return 0
}

// width is how wide a cell of v of that width is, transformed, around x.
func (t Transform) width(x, cell float64) float64 {
	return cell * math.Exp(t.logJacobian(t.Invert(x)))
}

// least is the value that v must be above for a transform above 0.
func (t Transform) least() float64 {
	if t == None {
		return 0
	}
	return 1
}

// AttributeLaw returns the law of the attribute itself, in its own unit; false
// if Law is of the binary logarithm.
func (r Report) AttributeLaw() (dist.Law, bool) {
	switch r.Transform {
	case None:
		return r.Law, true
	case Ln:
		return dist.Ln{Inner: r.Law}, true
	}
	return nil, false
}
