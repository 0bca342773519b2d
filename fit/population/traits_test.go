package population

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Groups 1 1 | 9 9 | 1 1 | 9 9 ...: neighbours within are alike, across they are not.
func TestAlikeByHand(t *testing.T) {
	var x, groups []float64
	for i := range 20 {
		v := float64(2 + 7*(i%2))
		x, groups = append(x, v, v), append(groups, 2)
	}
	if within, across := alike(x, groups); within != .98 || across != -.5 { // the bounds
		t.Errorf("within %g, across %g, want 1 and -1, bounded to 0.98 and -0.5", within, across)
	}
	if within, _ := alike(x[:8], groups[:4]); !math.IsNaN(within) {
		t.Errorf("of four pairs: %g", within)
	}
}

// Normal pairs of correlation 0.6 of which the lower 70 % are tied: the correlation of
// the tied scores, of a million pairs, gives 0.6 back, to three standard errors.
func TestUntied(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n, tied, want = 1 << 20, .7, .6
	edge, low := normal(tied), normal(tied/2)
	var x, xx, xy float64
	for range n {
		a := rng.NormFloat64()
		b := want*a + .8*rng.NormFloat64()
		if a < edge {
			a = low
		}
		if b < edge {
			b = low
		}
		x, xx, xy = x+(a+b)/2, xx+(a*a+b*b)/2, xy+a*b
	}
	r := (xy - x*x/n) / (xx - x*x/n)
	if got := untied(r, tied); math.Abs(got-want) > .005 {
		t.Errorf("%g of ties of %g, want %g", got, r, want)
	}
	if got := untied(.3, 0); got != .3 {
		t.Errorf("without ties %g, want .3", got)
	}
}
