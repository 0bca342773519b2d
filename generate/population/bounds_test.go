package population

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// The user has up to 5000 processor seconds under way at once. A bag of 1500, 700 s after one of
// 4000 of which 3300 are left, does not wait; one of 1800 waits for the end of that bag and the
// think time; a user without work under way does not wait, however large the bag. The jobs of a
// bag stay together.
func TestBagsWaitForOwnJobs(t *testing.T) {
	for _, c := range []struct{ first, second, want float64 }{{4000, 1500, 700}, {4000, 1800, 4030}, {600, 9000, 700}} {
		w := prepare(handMade(population.Traits{Days: 1, Active: 1, LnAtOnce: math.Log(5000)}), Options{})
		rng := rand.New(rand.NewPCG(1, 2))
		x := person{work: 1, traits: w.traits(0, 1, rng)[0], sessions: []int32{3}, jobs: []job{
			{how: opens, run: c.first, size: 1}, {how: apart, run: c.second - 1, size: 1}, {how: inBag, run: 1, size: 1}}}
		x.traits.Follow = -25 // no bag waits for the previous job
		x.cost()
		w.times(&w.cycle, &x, rng)
		if got := x.jobs[1].at - x.jobs[0].at; got != c.want || x.jobs[2].at-x.jobs[1].at != 5 {
			t.Errorf("%+v: the bag comes after %g s, its second job after %g, want 5", c, got, x.jobs[2].at-x.jobs[1].at)
		}
	}
}

// The scores of a bag with twice the work under way at once fall by a share of ln 2; those of a
// bag with half of it, and of a single job, do not.
func TestLighten(t *testing.T) {
	x := person{traits: population.Traits{LnAtOnce: math.Log(100)}, jobs: make([]job, 3)}
	x.lighten(0, 2, 50)
	x.lighten(0, 1, 200)
	x.lighten(1, 3, 200)
	for i, want := range []float64{0, -shiftStep * math.Ln2, -shiftStep * math.Ln2} {
		if math.Abs(x.jobs[i].score-want) > 1e-12 {
			t.Errorf("job %d has score %g, want %g", i, x.jobs[i].score, want)
		}
	}
}
