package score

import (
	"math"
	"testing"
)

// Two users on 2 processors, by hand. Day 0 has 86400 processor seconds of work, of
// 2·86400; day 1 none, day 2 43200.
func TestCurvesByHand(t *testing.T) {
	const day = 86400
	c := NewCurves(1000, 2)
	q := c.Queue("easy", OpenLoop)
	for _, x := range []struct {
		submit, run, wait float64
		size, user        int64
	}{
		{1000, day / 2, 0, 2, 1},
		{1000 + day/2, 0, day, 1, 1},                 // waits for half of day 0 and half of day 1
		{1000 + 2*day, day / 2, 3 * day / 4, 1, 2},   // for three quarters of day 2
		{1000 + 2*day, math.NaN(), math.NaN(), 1, 1}, // has neither run nor waited
	} {
		j := traitJob(x.submit, x.run, x.size, x.user, math.NaN())
		c.Add(&j)
		j.Wait = x.wait
		q.Add(&j)
	}
	all := map[string]line{}
	for _, l := range c.all() {
		all[l.name] = l
	}
	near := func(name string, got []float64, want ...float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %v, want %v", name, got, want)
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12 {
				t.Errorf("%s at %d: %g, want %g", name, i, got[i], want[i])
			}
		}
	}
	near(LoadByDay, all[LoadByDay].y, .5, 0, .25)
	near(QueuedByDay, all[QueuedByDay].y, .5, .5, .75)
	users := all[JobsByUser].y                                                         // 3 jobs and 1; the points are 10^(i/20)
	near(JobsByUser, []float64{users[0], users[1], users[9], users[10]}, 1, .5, .5, 0) // 1, 1.12, 2.82, 3.16
	waits := all[WaitsUpTo].y                                                          // 0, 86400 = 10^4.94, 64800 = 10^4.81
	near(WaitsUpTo, []float64{waits[0], waits[96], waits[97], waits[98], waits[99]}, 1./3, 1./3, 2./3, 2./3, 1)
}

// The band of a log of two days: twins of one, two and three days.
func TestCompareCurves(t *testing.T) {
	of := func(sizes ...int64) *Curves {
		c := NewCurves(0, 10)
		for day, size := range sizes {
			j := traitJob(float64(day)*86400, 86400, size, 1, math.NaN())
			c.Add(&j)
		}
		return c
	}
	log := of(1, 2)
	got := CompareCurves(log, []*Curves{of(4), of(2, 6), of(3, 8, 9)})[0]
	if got.Name != LoadByDay || got.Twins != 3 || len(got.X) != 2 {
		t.Fatalf("%+v", got)
	}
	for i, want := range [][4]float64{{.1, .2, .3, .4}, {.2, .6, .7, .8}} {
		x := [4]float64{got.A[i], got.Low[i], got.Middle[i], got.High[i]}
		if i == 0 { // of .2 .3 .4: 5 and 95 % are a tenth of a gap inside
			want[1], want[3] = .21, .39
		} else {
			want[1], want[3] = .61, .79
		}
		for k := range x {
			if math.Abs(x[k]-want[k]) > 1e-12 {
				t.Errorf("day %d: %v, want %v", i, x, want)
				break
			}
		}
	}
}
