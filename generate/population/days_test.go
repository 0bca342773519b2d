package population

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// user is one of n sessions of a job each, on five days of each of four weeks.
func user(p *prepared, n int) *person {
	x := &person{traits: p.traits(0, rand.New(rand.NewPCG(1, 2))), count: n, work: float64(n)}
	for range n {
		x.jobs = append(x.jobs, job{how: opens, run: 1, size: 1})
		x.sessions = append(x.sessions, 1)
	}
	p.costs(x)
	return x
}

func fiveDays(cv float64) *prepared {
	return prepare(handMade(map[population.Trait]float64{population.LnSpan: math.Log(4), population.Active: 1, population.Days: 5, population.DayCV: cv}), Options{})
}

// Days of no variation have the same number of sessions; a session of most of a user's
// work has its day alone.
func TestDiaryByHand(t *testing.T) {
	p := fiveDays(0)
	count := func(x *person) map[float64]int {
		p.times(x, rand.New(rand.NewPCG(3, 4)))
		days := map[float64]int{}
		for i := range x.jobs {
			days[math.Floor(x.jobs[i].at/day)]++
		}
		return days
	}
	x := user(p, 80)
	for d, n := range count(x) {
		if n != 4 {
			t.Errorf("day %g: %d sessions, want 80 on 20 days", d, n)
		}
	}
	x.jobs[0].run = 1e6 // its cost is half of all, and a day's share a twentieth
	x.work += 1e6
	p.costs(x)
	days := count(x)
	if n := days[math.Floor(x.jobs[0].at/day)]; n != 1 || len(days) != 20 {
		t.Errorf("%d sessions on the day of the longest job, on %d days, want 1 on 20", n, len(days))
	}
}

// Sessions of a day are more than an hour apart, and do not pile up at it: of three at
// any hours, one pause in 500 or so is within a minute above an hour.
func TestPausesBetweenSessions(t *testing.T) {
	p := fiveDays(.5)
	pauses, short := 0, 0
	for seed := range uint64(50) {
		x := user(p, 60)
		p.times(x, rand.New(rand.NewPCG(seed, 4)))
		for i := 1; i < len(x.jobs); i++ {
			gap := x.jobs[i].at - x.jobs[i-1].at
			if gap <= hour {
				t.Fatalf("%g s between two sessions", gap)
			}
			if gap < day {
				pauses++
				if gap < hour+60 {
					short++
				}
			}
		}
	}
	if pauses < 1000 || short*100 > pauses {
		t.Errorf("%d of %d pauses are within a minute above an hour, want at most one in 100", short, pauses)
	}
}

// Of the users of a stratum who has made most has most to do.
func TestBudgetsByHand(t *testing.T) {
	l := &lap{people: []person{{work: 1}, {work: 5}, {work: 3}, {stratum: 1, work: 9}, {stratum: 1, work: 8}}}
	(&prepared{}).budgets(l, []float64{70, 10, 40, 1, 2})
	for u, want := range []float64{5, 1, 3, 8, 9} {
		if got := l.people[u].work; got != want {
			t.Errorf("user %d has %g to do, want %g", u, got, want)
		}
	}
}
