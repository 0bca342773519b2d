package model

import "math"

// PForm is the form in which the share p of the first Gamma depends on the size
// s. A constant share is Linear with slope 0.
type PForm string

const (
	// Linear is p = a s + b, clipped to [0, 1]: the form that the paper chose.
	Linear PForm = ""
	// LogOdds is ln(p/(1-p)) = a s + b: the form that the paper tried and
	// rejected.
	LogOdds PForm = "log-odds"
)

// Line is the share p of the first law of run times as a function of the size.
type Line struct {
	PIntercept float64 // b in p = a size + b, clipped to [0, 1]
	PSlope     float64 // a, per processor; -1 to 1, and 0 if p does not depend on the size
	PForm      PForm   // optional: the function of p that a size + b gives, if not p itself
}

// P returns the share at a size: PSlope size + PIntercept, clipped to [0, 1],
// or the share with these log-odds. Lublin and Feitelson (2003), section 3.2.3.
func (l Line) P(size int64) float64 {
	p := l.PSlope*float64(size) + l.PIntercept
	if l.PForm == LogOdds {
		return 1 / (1 + math.Exp(-p))
	}
	return min(1, max(0, p))
}

// kept is the least share that a cut keeps at any size of two laws, of which it
// keeps first and second: p is monotone in the size.
func (l Line) kept(processors int64, first, second float64) float64 {
	p, q := l.P(1), l.P(processors)
	return min(p*first+(1-p)*second, q*first+(1-q)*second)
}

func (l *Line) visit(f *form) {
	f.number("p_intercept", &l.PIntercept, -1e6, 1e6)
	f.value("p_slope", required, &l.PSlope, false, "a number")
	f.text("p_form", optional, (*string)(&l.PForm))
	steepest := 1.0
	switch l.PForm {
	case Linear:
	case "linear":
		l.PForm = Linear
	case LogOdds:
		steepest = 100
	default:
		f.reject("p_form", shorten(string(l.PForm)), `"linear" or "log-odds"`)
	}
	f.check(func() error { return within(f.at("p_slope"), l.PSlope, -steepest, steepest) })
}
