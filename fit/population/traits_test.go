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

// A user has 10 processor seconds in the first week, 40 in the second and 47 in the third, of 97. In
// a bag two jobs of 5 begin at 0 and 3 s, and 2 and 5 of them are left at 3 s, 7. A job of 4
// processors and 10 s has 40; after 4 s, when a bag without work comes, 24. A job of 42 has these,
// and with a bag of 5 at the same moment 47. The bags with 42 at most have 92, over nine tenths,
// those with 40 only 50.
func TestLargestShares(t *testing.T) {
	p := &person{}
	for _, j := range []struct {
		at, run float64
		size    int64
		bag     kind
	}{{0, 5, 1, opens}, {3, 5, 1, inBag}, {week, 10, 4, opens}, {week + 4, 0, 3, apart}, {2 * week, 21, 2, opens}, {2 * week, 5, 1, apart}} {
		p.jobs = append(p.jobs, &job{submit: j.at, run: j.run, size: j.size, bag: j.bag})
		p.work += p.jobs[len(p.jobs)-1].work()
	}
	f := fitter{period: week, periods: 3}
	f.days(p)
	if got, want := p.traits.LnWeek, math.Log(47./97); math.Abs(got-want) > 1e-12 || p.weekWork != 47 {
		t.Errorf("ln of the largest week's share is %g, want %g; its work %g, want 47", got, want, p.weekWork)
	}
	if got := math.Exp(p.traits.LnAtOnce); math.Abs(got-42) > 1e-6 {
		t.Errorf("%g at once, want 42", got)
	}
}

// The largest week of all users is the largest, unless it is over twice the next user's.
func TestLargestWeek(t *testing.T) {
	for _, c := range []struct {
		weeks []float64
		want  float64
	}{
		{[]float64{4, 10, 5}, 10}, {[]float64{4, 10.5, 5}, 5}, {[]float64{11, 4, 5}, 5}, {[]float64{7}, 7},
	} {
		var users []*person
		for _, x := range c.weeks {
			users = append(users, &person{weekWork: x})
		}
		if got := largestWeek(users); got != c.want {
			t.Errorf("of %v: %g, want %g", c.weeks, got, c.want)
		}
	}
}
