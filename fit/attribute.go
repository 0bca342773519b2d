package fit

import (
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Attribute is the quantity of a job to which a law is fitted.
type Attribute string

// The attributes. Times are in seconds.
const (
	RunTime      Attribute = "run_time"     // wall clock time from start to end
	Size         Attribute = "size"         // processors, as workload.Request.Size
	Work         Attribute = "work"         // processor seconds: size times run time
	Interarrival Attribute = "interarrival" // from the previous submission to this one
)

// Attributes lists all attributes.
func Attributes() []Attribute { return []Attribute{RunTime, Size, Work, Interarrival} }

// Validate returns an error that lists the attributes if a is not one of them.
func (a Attribute) Validate() error {
	if slices.Contains(Attributes(), a) {
		return nil
	}
	var names []string
	for _, known := range Attributes() {
		names = append(names, string(known))
	}
	return workload.OptionFault("attribute", string(a), "one of %s", strings.Join(names, ", "))
}

// words returns the name of the attribute in a sentence, and the unit to write after a number.
func (a Attribute) words() (name, unit string) {
	switch a {
	case RunTime:
		return "run time", " s"
	case Interarrival:
		return "interarrival time", " s"
	case Work:
		return "work", " processor seconds"
	}
	return strings.ReplaceAll(string(a), "_", " "), ""
}

// Transform returns the transform that Lublin and Feitelson (2003) apply to the attribute before
// they fit a law to it: ln for times and work, log2 for sizes.
func (a Attribute) Transform() Transform {
	if a == Size {
		return Log2
	}
	return Ln
}

// Transform is the function applied to an attribute before a law is fitted to
// it.
type Transform string

// The transforms.
const (
	None Transform = "none" // the attribute itself
	Ln   Transform = "ln"   // its natural logarithm
	Log2 Transform = "log2" // its binary logarithm
)

// known reports whether t is one of the transforms or empty.
func (t Transform) known() bool { return t == "" || t == None || t == Ln || t == Log2 }

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

// logJacobian returns ln of dx/dv at v: the log-density of v is this plus the log-density of x.
func (t Transform) logJacobian(v float64) float64 {
	switch t {
	case Ln:
		return -math.Log(v)
	case Log2:
		return -math.Log(v * math.Ln2)
	}
	return 0
}

// width returns the width of a cell after the transform, around x, given its width before.
func (t Transform) width(x, cell float64) float64 {
	return cell * math.Exp(t.logJacobian(t.Invert(x)))
}

// least returns the value that v must exceed for a transform above 0.
func (t Transform) least() float64 {
	if t == None {
		return 0
	}
	return 1
}
