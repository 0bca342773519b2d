package population

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// No week of a user has more work than the user's largest share, or the largest week of all users,
// unless it is of one job; all jobs keep their hour of the week and their order, and users below
// the bound all their times.
func TestSpread(t *testing.T) {
	for _, c := range []struct{ share, userWeek, most float64 }{{.3, 0, .3}, {.3, 900, .3}, {.3, 150, .15}, {1, 150, .15}, {1, 50, .2}, {1, 0, 1}} {
		m := handMade(population.Traits{LnWeek: math.Log(c.share)})
		m.Log.Days, m.Load.UserWeek = 70, c.userWeek
		w := prepare(m, Options{})
		rng := rand.New(rand.NewPCG(1, 2))
		x := user(w, 50)
		x.work = 0
		at, before := 0.0, make([]float64, len(x.jobs))
		for i := range x.jobs { // in three of ten weeks
			x.jobs[i].run = 1 + math.Floor(39*rng.Float64())
			x.work += x.jobs[i].run
			at += 3 * 7 * day * rng.Float64() / 25
			x.jobs[i].at = math.Floor(at)
			before[i] = x.jobs[i].at
		}
		x.jobs[20].run, x.work = 1000-(x.work-x.jobs[20].run), 1000
		w.spread(x)
		weeks := map[int]float64{}
		jobs := map[int]int{}
		for i, j := range x.jobs {
			k := int(j.at / (7 * day))
			weeks[k] += j.work()
			jobs[k]++
			if moved := math.Mod(j.at-before[i], 7*day); moved != 0 || c.most == 1 && j.at != before[i] {
				t.Errorf("%+v: job %d moves by %g s, want whole weeks", c, i, j.at-before[i])
			}
			if i > 0 && j.at < x.jobs[i-1].at {
				t.Errorf("%+v: job %d comes before the one before it", c, i)
			}
		}
		for k, work := range weeks {
			if work > c.most*1000 && jobs[k] > 1 {
				t.Errorf("%+v: week %d has %g of 1000, want at most %g", c, k, work, c.most*1000)
			}
		}
	}
}

// The user has up to 5000 processor seconds under way at once. A bag of 1500, 700 s after one of
// 4000, of which 3300 are left, does not wait; one of 1800 waits for its end and the time to
// think; a user without work does not wait, however large the bag. The jobs of a bag do not part.
func TestBagsWaitForOwnJobs(t *testing.T) {
	for _, c := range []struct{ first, second, want float64 }{{4000, 1500, 700}, {4000, 1800, 4030}, {600, 9000, 700}} {
		w := prepare(handMade(population.Traits{Days: 1, Active: 1, LnAtOnce: math.Log(5000)}), Options{})
		rng := rand.New(rand.NewPCG(1, 2))
		x := person{work: 1, traits: w.traits(0, 1, rng)[0], sessions: []int32{3}, jobs: []job{
			{how: opens, run: c.first, size: 1}, {how: apart, run: c.second - 1, size: 1}, {how: inBag, run: 1, size: 1}}}
		x.traits.Follow = -25 // no bag waits for the job before
		x.cost()
		w.times(&w.cycle, &x, rng)
		if got := x.jobs[1].at - x.jobs[0].at; got != c.want || x.jobs[2].at-x.jobs[1].at != 5 {
			t.Errorf("%+v: the bag comes after %g s, its second job after %g, want 5", c, got, x.jobs[2].at-x.jobs[1].at)
		}
	}
}

// The scores of a bag of twice the work that is under way at once fall by a share of ln 2, those of
// a bag of half of it and of a job alone do not.
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
