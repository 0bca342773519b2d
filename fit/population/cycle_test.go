package population

import (
	"math"
	"testing"
)

// The weights are those of which the beginnings are likeliest: here of a day of two
// active hours, 9 and 12, with two sessions each on days of which the first begins at
// 9:00 or at 12:00, found by trying all shares.
func TestCycleByHand(t *testing.T) {
	p := &person{}
	c := fitter{period: day, people: []*person{p}}
	add := func(d int, hours ...float64) {
		for _, h := range hours {
			p.jobs = append(p.jobs, &job{submit: float64(d)*day + 3600*h, bag: opens})
		}
	}
	for d := range 30 {
		switch {
		case d < 10:
			add(d, 9.25, 12.5) // free again from 10:15 on
		case d < 16:
			add(d, 9.5)
		default:
			add(d, 12)
		}
	}
	// Of weight w at 9 and 1 - w at 12. The first of two: 2 w (1 - w 0.25)
	// by the density times what is left from then on; the second is at 12 for sure.
	best, at := math.Inf(-1), 0.0
	for w := .0005; w < 1; w += .0005 {
		if l := 10*math.Log(w*(1-.25*w)) + 6*math.Log(w) + 14*math.Log(1-w); l > best {
			best, at = l, w
		}
	}
	c.cycle()
	y := c.m.Cycle
	if y.Jobs != 40 || math.Abs(y.Weights[9]-at) > 2e-3 || math.Abs(y.Weights[12]-(1-at)) > 2e-3 {
		t.Errorf("%d sessions, weights %g and %g, want 40, %g and %g", y.Jobs, y.Weights[9], y.Weights[12], at, 1-at)
	}
}
