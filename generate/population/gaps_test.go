package population

import (
	"math"
	"testing"
)

// The probabilities of gaps within bags are those of ranks among jobs of all users:
// of four 1/8, 3/8, 5/8 and 7/8, equals in their users' order, whatever the scores
// are. That of a gap between bags is the normal law's: .84134 of a score of 1. The
// first job of a session has none.
func TestGaps(t *testing.T) {
	l := &lap{people: []person{
		{jobs: []job{{how: opens, gap: 9}, {how: inBag, gap: 2}, {how: inBag, gap: 1}}},
		{jobs: []job{{how: opens, gap: 9}, {how: apart, gap: 1}, {how: inBag, gap: 2}, {how: inBag, gap: 1.5}}},
	}}
	(&prepared{}).gaps(l)
	for u, want := range [][]float64{{9, .625, .125}, {9, .84134, .875, .375}} {
		for i, p := range want {
			if got := l.people[u].jobs[i].gap; math.Abs(got-p) > 1e-5 {
				t.Errorf("user %d, job %d: %g, want %g", u, i, got, p)
			}
		}
	}
}

// Users begin sessions at hours 0 and 1, three times as many at the first. A job
// submitted at hour 1 is waited for with a chance of one half: of odds 1, which are
// 3 if it ends at hour 0, and none at hours at which nobody comes.
func TestAtHour(t *testing.T) {
	hours := make([]float64, 24)
	for h := range hours {
		hours[h] = 4
	}
	hours[0] = 3
	p := &prepared{hours: hours, active: activities(hours), period: day}
	for _, c := range []struct{ chance, from, to, want float64 }{
		{.5, hour, hour + 100, .5},
		{.5, hour, day + 100, .75},
		{.5, 100, hour, .25},
		{.5, 100, 5 * hour, 0},
		{0, hour, day, 0},
		{1, 100, 5 * hour, 1},
	} {
		if got := p.atHour(c.chance, c.from, c.to); math.Abs(got-c.want) > 1e-3 {
			t.Errorf("a chance of %g, submitted at %g, ended at %g: %g, want %g", c.chance, c.from, c.to, got, c.want)
		}
	}
}
