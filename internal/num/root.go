package num

import (
	"errors"
	"fmt"
	"math"
)

// ErrNoBracket is wrapped by the error of Root if f has the same sign, or is NaN, at
// the ends.
var ErrNoBracket = errors.New("no sign change between the ends")

// maxSteps is more than the number of bisections that reduce the whole range of
// floating-point numbers to the last digit of one.
const maxSteps = 3000

// Root returns a zero of f between lo and hi, where f must have opposite
// signs (a zero at an end counts). f must be continuous for the result to be
// a zero; it is always a point where f changes sign, within tol (absolute,
// in x) or the spacing of floating-point numbers, whichever is larger.
//
// The method is Brent's: inverse quadratic or secant steps, with bisection
// if they do not shrink the bracket. It is an error if f returns NaN.
func Root(f func(float64) float64, lo, hi, tol float64) (float64, error) {
	a, b := lo, hi
	fa, fb := f(a), f(b)
	switch {
	case fa == 0:
		return a, nil
	case fb == 0:
		return b, nil
	case math.IsNaN(fa) || math.IsNaN(fb) || fa > 0 == (fb > 0):
		return math.NaN(), fmt.Errorf("num: root of f in [%g, %g] with f = %g and %g: %w", lo, hi, fa, fb, ErrNoBracket)
	}
	c, fc := a, fa
	step := b - a
	last := step
	for range maxSteps {
		if fb > 0 == (fc > 0) {
			c, fc = a, fa
			step = b - a
			last = step
		}
		if math.Abs(fc) < math.Abs(fb) {
			a, b, c = b, c, b
			fa, fb, fc = fb, fc, fb
		}
		near := 2*0x1p-53*math.Abs(b) + 0.5*tol
		half := 0.5 * (c - b)
		if math.Abs(half) <= near || fb == 0 {
			return b, nil
		}
		if math.Abs(last) >= near && math.Abs(fa) > math.Abs(fb) {
			var p, q float64
			s := fb / fa
			if a == c {
				p, q = 2*half*s, 1-s
			} else {
				t, r := fa/fc, fb/fc
				p = s * (2*half*t*(t-r) - (b-a)*(r-1))
				q = (t - 1) * (r - 1) * (s - 1)
			}
			if p > 0 {
				q = -q
			}
			p = math.Abs(p)
			if 2*p < math.Min(3*half*q-math.Abs(near*q), math.Abs(last*q)) {
				last, step = step, p/q
			} else {
				step, last = half, half
			}
		} else {
			step, last = half, half
		}
		a, fa = b, fb
		if math.Abs(step) > near {
			b += step
		} else {
			b += math.Copysign(near, half)
		}
		if fb = f(b); math.IsNaN(fb) {
			return math.NaN(), fmt.Errorf("num: root: f(%g) is not a number", b)
		}
	}
	return b, nil
}
