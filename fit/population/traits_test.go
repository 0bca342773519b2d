package population

import (
	"math"
	"testing"
)

// Groups 1 1 | 9 9 | 1 1 | 9 9 ...: neighbours within a group are alike, neighbours across groups
// are not.
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
		t.Errorf("four pairs: %g", within)
	}
}

// The correlations of the tied scores are computed by quadrature of x E(f(Y) | x), where f(y) is
// y above the edge, the quantile of tied (0 and 0.5), and the quantile of tied/2 below it.
func TestUntied(t *testing.T) {
	for _, c := range []struct{ tied, r, want float64 }{
		{0, .3, .3}, {.5, .5356940986, .6}, {.5, -.2357026027, -.3}, {.6914624613, .4833665744, .6},
	} {
		if got := untied(c.r, c.tied); math.Abs(got-c.want) > .0002 {
			t.Errorf("%g of ties of %g, want %g: off by %g", got, c.tied, c.want, got-c.want)
		}
	}
}

// Two jobs follow the first within its bag, with scores 0.2 and 0.3 higher; then comes one with a
// score 0.4 lower, and one of another template.
func TestSteps(t *testing.T) {
	p := &person{}
	for _, j := range []struct {
		bag         kind
		rank, think float64
		size        int64
	}{{opens, .1, 0, 1}, {inBag, .3, 10, 1}, {inBag, .6, 20, 1}, {apart, .2, 100, 1}, {apart, .2, 300, 2}} {
		p.jobs = append(p.jobs, &job{bag: j.bag, runRank: j.rank, think: j.think, size: j.size})
	}
	p.steps()
	for name, x := range map[string][2]float64{
		"RunSame": {p.traits.RunSame, math.Sqrt((.04 + .09) / 2 / 2)}, "RunAgain": {p.traits.RunAgain, .4 / math.Sqrt2},
		"ChangeInBag": {p.traits.ChangeInBag, 0}, "ChangeBetween": {p.traits.ChangeBetween, .5},
		"WithinMean": {p.traits.WithinMean, 15}, "ApartMean": {p.traits.ApartMean, 200},
	} {
		if math.Abs(x[0]-x[1]) > 1e-12 {
			t.Errorf("%s is %g, want %g", name, x[0], x[1])
		}
	}
}

// Of 97 processor seconds, a user has 10 in the first week, 40 in the second and 47 in the third.
// A bag has two jobs of 5 processor seconds, at 0 and 3 s; at 3 s, 2 and 5 of them are left, 7 in
// all. A job of 4 processors and 10 s has 40; 4 s later, when a bag without work comes, 24 are
// left. A job of 42 is alone, and with a bag of 5 at the same moment makes 47. The bags with at
// most 42 under way have 92, more than nine tenths; those with at most 40 have only 50.
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
	if got, want := p.traits.LnWeek, math.Log(47./97); math.Abs(got-want) > 1e-12 {
		t.Errorf("ln of the largest week's share is %g, want %g", got, want)
	}
	if got := math.Exp(p.traits.LnAtOnce); math.Abs(got-42) > 1e-6 {
		t.Errorf("%g at once, want 42", got)
	}
}

// Templates have the scores 0 and 0.2, then 1 and 1.4 in the same bag, then 2 in another. The
// variance within them is (0.02 + 0.08)/2, that of their first jobs 1, and the squared steps
// between them are halves of 0.64 and 0.36.
func TestRunsOfTemplates(t *testing.T) {
	p := &person{jobs: []*job{{}, {runRank: .2}, {runRank: 1}, {runRank: 1.4}, {runRank: 2, bag: apart}}}
	p.templates = [][]*job{p.jobs[:2], p.jobs[2:4], p.jobs[4:]}
	p.sizesAndRuns()
	for i, c := range [][2]float64{{p.traits.RunSD, .95}, {p.traits.RunSweep, .32}, {p.traits.RunDrift, .18}} {
		if math.Abs(c[0]*c[0]-c[1]) > 1e-12 {
			t.Errorf("variance %d is %g, want %g", i, c[0]*c[0], c[1])
		}
	}
}

// A user begins sessions on at most seven days of a week, even in a log that begins at noon, whose
// weeks touch eight days.
func TestDaysOfAWeek(t *testing.T) {
	p := &person{}
	for d := range 8 { // from a noon to the last morning of seven times 24 hours
		p.jobs = append(p.jobs, &job{submit: float64(d)*(day-3600) + day/2, bag: opens})
	}
	(&fitter{first: day / 2, period: week, periods: 1}).days(p)
	if p.traits.Days != 7 {
		t.Errorf("%g days, want 7", p.traits.Days)
	}
}
