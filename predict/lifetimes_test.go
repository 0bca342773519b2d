package predict

import (
	"math"
	"testing"
)

func near(got, want, relative float64) bool {
	return math.Abs(got-want) <= relative*math.Abs(want)
}

func TestOneLaw(t *testing.T) {
	for _, c := range []struct {
		name   string
		age, t float64
		want   float64
	}{
		// The median lifetime of a job aged a is sqrt(a TMax) (equation 4).
		{"median at 100 s", 100, 900, 0.5},
		{"median at TMax/4", 2500, 2500, 0.5},
		{"at its limit", 100, 9900, 0},
		{"beyond its limit", 100, 1e6, 0},
		{"just started", 100, 0, 1},
		// F(age) is 0, but the job is 4 s old: it cannot end in less than 6 s. The median of the
		// distribution is sqrt(10 * 10000) s, 312.2 s later.
		{"younger than TMin, too early", 4, 6, 1},
		{"younger than TMin, median", 4, math.Sqrt(1e5) - 4, 0.5},
		{"younger than TMin, limit", 4, 9996, 0},
		{"new", 0, math.Sqrt(1e5), 0.5},
		// From TMax on, the survival is age/(age+t).
		{"at TMax", 10000, 10000, 0.5},
		{"older than TMax", 30000, 10000, 0.75},
		{"much older", 1e9, 0, 1},
	} {
		if got := law.Survival(nil, c.age, c.t); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: Survival(%g, %g) = %g, want %g", c.name, c.age, c.t, got, c.want)
		}
	}
}
