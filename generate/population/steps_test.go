package population

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// constant is a distribution with one value.
func constant(x float64) population.Quantiles {
	return population.Quantiles{P: []float64{0, 1}, X: []float64{x, x}}
}

// handMade is a model of one stratum whose users all have the same traits.
func handMade(t population.Traits) *population.Model {
	m := &population.Model{Processors: 8, Log: population.Log{Days: 28, Jobs: 100, Load: .5}}
	m.Sessions = population.Sessions{Within: constant(5), Apart: constant(700), Think: constant(30)}
	t.LnAtOnce = cmp.Or(t.LnAtOnce, 69)
	s := population.Stratum{Users: 1, Jobs: 100, Sessions: constant(2), Bags: constant(2)}
	for i, x := range t.All() {
		s.Margins.All()[i] = []float64{x, x}
	}
	m.Users.Strata = []population.Stratum{s}
	return m
}

// A bag that waits for the previous job comes after that job's response time and the think time,
// any other bag after the gap between bags. Jobs within a bag are separated by the gap within
// bags.
func TestTimesByHand(t *testing.T) {
	for _, c := range []struct{ run, follow, want float64 }{
		{100, 25, 130}, {599, 25, 629}, {100, 0, 700}, {1e5, 5, 700},
	} {
		w := prepare(handMade(population.Traits{Follow: c.follow, Days: 1, Active: 1}), Options{})
		x := person{work: 1, jobs: []job{{how: opens, run: c.run, size: 1}, {how: apart, run: 7, size: 1}, {how: inBag, run: 7, size: 1}}, sessions: []int32{3}}
		x.cost()
		rng := rand.New(rand.NewPCG(1, 2))
		x.traits = w.traits(0, 1, rng)[0]
		w.times(&w.cycle, &x, rng)
		if got := x.jobs[1].at - x.jobs[0].at; got != c.want {
			t.Errorf("run %g, follow %g: %g s, want %g", c.run, c.follow, got, c.want)
		}
		if got := x.jobs[2].at - x.jobs[1].at; got != 5 {
			t.Errorf("within the bag: %g s, want 5", got)
		}
	}
}

// Each of ten users has a value from another tenth of a trait's distribution. With two traits
// correlated by 0.8, the users are in the order of the scores z and 0.8 z + 0.6 z', where z and
// z' are the next random numbers; other traits are not correlated with any.
func TestTraitsByHand(t *testing.T) {
	m := handMade(population.Traits{})
	for i := range population.NumTraits {
		m.Users.Strata[0].Margins.All()[i] = []float64{0, 1} // even, so that a trait is its probability
	}
	w := &Workload{m: m, copulas: [][][]float64{cholesky([][]float64{{1}, {.8, 1}})}}
	const n = 10
	users := w.traits(0, n, rand.New(rand.NewPCG(3, 4)))
	rng := rand.New(rand.NewPCG(3, 4))
	scores := make([][3]float64, n)
	for u := range scores {
		a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		scores[u] = [3]float64{a, .8*a + .6*b, c}
		for range m.NumTraits() - 3 {
			rng.NormFloat64()
		}
	}
	for i := range 3 {
		for u := range n {
			below := 0.0
			for other := range n {
				if scores[other][i] < scores[u][i] {
					below++
				}
			}
			if got := users[u].All()[i] * n; got < below || got >= below+1 {
				t.Errorf("trait %d of user %d is at %g tenths, want %g to %g", i, u, got, below, below+1)
			}
		}
	}
}

// Scores of bags and sessions with more than one member are normal if each user's are, whatever
// the share of ones; if all have one member there is no distribution.
func TestCalibrateByHand(t *testing.T) {
	traits := population.Traits{LnJobs: math.Log(400), SessionOne: .5, SessionSD: 1, BagOne: .5, BagSD: 1}
	w := prepare(handMade(traits), Options{})
	for name, g := range map[string]*groups{"bags": &w.bags[0], "sessions": &w.visits[0]} {
		for z, want := range map[float64]float64{-1: .1587, 0: .5, 1: .8413} {
			if got := g.rank(z); math.Abs(got-want) > .02 {
				t.Errorf("%s: a share of %g of the scores is at most %g, want %g", name, got, z, want)
			}
		}
	}
	traits.SessionOne, traits.BagOne = 1, 1
	if w := prepare(handMade(traits), Options{}); w.bags[0].ranks != nil || w.visits[0].ranks != nil {
		t.Error("scores of bags and sessions where all are of one")
	}
}

// Whether neighbours within a template differ by less or by more than neighbours from two
// templates, the run-time scores of the latter differ by the trait, and all scores have the
// variance of both parts together. The scores of successive sizes of bags with several jobs have
// the correlation of bags. Tolerances are four standard errors.
func TestSeriesByHand(t *testing.T) {
	const jobs = 200000
	for _, same := range []float64{.3, .9} {
		m := handMade(population.Traits{BagOne: .5, BagSD: 1, BagAlike: .8, SessionOne: 1,
			RunSD: .6, RunWithin: .8, RunSame: same, RunSweep: .5, ChangeInBag: .5})
		m.Users.Strata[0].Bags = population.Quantiles{P: []float64{0, 1}, X: []float64{2, 100}}
		w, rng := prepare(m, Options{}), rand.New(rand.NewPCG(7, 8))
		x := person{traits: w.traits(0, 1, rng)[0], count: jobs}
		w.draw(&x, rng)
		steps, squares, pairs := 0.0, 0.0, 0.0
		for i, j := range x.jobs[1:] {
			squares += j.score * j.score / jobs
			if d := j.score - x.jobs[i].score; j.template != x.jobs[i].template {
				steps, pairs = steps+d*d/2, pairs+1
			}
		}
		if got := steps / pairs; math.Abs(got-.25) > .005 || math.Abs(squares-1) > .025 {
			t.Errorf("steps within templates of %g: between them the squares are %g, want 0.25, and the variance is %g, want 1", same, got, squares)
		}
		var sizes []float64 // their logarithms are uniform
		for _, n := range x.sessions {
			if n > 1 {
				sizes = append(sizes, math.Log(float64(n)))
			}
		}
		want := 6 / math.Pi * math.Asin(.8/2) // for uniform values with a normal copula
		if got := stat.Correlation(sizes[1:], sizes[:len(sizes)-1], nil); math.Abs(got-want) > .03 {
			t.Errorf("sizes of %d bags are correlated by %g, want %g", len(sizes), got, want)
		}
	}
}

// fiveDays returns a workload whose users are active on five days of each of four weeks.
func fiveDays(cv float64) *Workload {
	return prepare(handMade(population.Traits{LnSpan: math.Log(4), Active: 1, Days: 5, DayCV: cv}), Options{})
}

// user returns a user with n sessions of one job each.
func user(w *Workload, n int) *person {
	x := &person{traits: w.traits(0, 1, rand.New(rand.NewPCG(1, 2)))[0], work: float64(n)}
	for range n {
		x.jobs, x.sessions = append(x.jobs, job{how: opens, run: 1, size: 1}), append(x.sessions, 1)
	}
	x.cost()
	return x
}

// Days without variation have equal numbers of sessions; a session with most of a user's work has
// a day to itself.
func TestDiaryByHand(t *testing.T) {
	w := fiveDays(0)
	count := func(x *person) map[float64]int {
		w.times(&w.cycle, x, rand.New(rand.NewPCG(3, 4)))
		days := map[float64]int{}
		for i := range x.jobs {
			days[math.Floor(x.jobs[i].at/day)]++
		}
		return days
	}
	x := user(w, 80)
	for d, n := range count(x) {
		if n != 4 {
			t.Errorf("day %g: %d sessions, want 80 on 20 days", d, n)
		}
	}
	x.jobs[0].run = 1e6 // costs half of all; the share of a day is a twentieth
	x.work += 1e6
	x.cost()
	days := count(x)
	if n := days[math.Floor(x.jobs[0].at/day)]; n != 1 || len(days) != 20 {
		t.Errorf("%d sessions on the day of the longest job, on %d days, want 1 on 20", n, len(days))
	}
}

// Days start out alike. The busiest week is raised to the share of the user's largest week if it
// has less, and the other days stay alike.
func TestLargestWeekByHand(t *testing.T) {
	for _, c := range []struct{ share, most float64 }{{.7, .7}, {.2, .5}} {
		w := prepare(handMade(population.Traits{LnWeek: math.Log(c.share)}), Options{})
		begins := []float64{0, 9 * day, 11 * day, 22 * day} // two of the four days are in the second week
		days := w.byDay(begins, &w.traits(0, 1, rand.New(rand.NewPCG(1, 2)))[0], rand.New(rand.NewPCG(1, 2)))
		if got := (days[1] + days[2]) / sum(days); math.Abs(got-c.most) > 1e-4 || days[0] != days[3] || days[1] != days[2] {
			t.Errorf("a largest share of %g: the second week has %g, want %g; days %v", c.share, got, c.most, days)
		}
	}
}

// Sessions last about two hours, so to make jobs follow the model's hours they must begin early
// enough.
func TestJobsComeByTheHours(t *testing.T) {
	m := handMade(population.Traits{LnJobs: math.Log(100), LnSpan: math.Log(28), Active: 1, Days: 1, Follow: -25})
	m.Sizes = population.Sizes{Sizes: []int64{1}, Shares: []float64{1}}
	m.RunTimes.Classes = []population.LawClass{{Quantiles: constant(10)}}
	m.Sessions.Apart = constant(3000)
	m.Users.Strata[0].Users, m.Users.Strata[0].Jobs, m.Users.Strata[0].Work = 100, 10000, 1e5
	m.Users.Strata[0].Sessions = constant(3)
	m.Log.Load = 1e5 / (8 * 28 * day)
	m.Cycle.Weights = make([]float64, 24)
	for h := range 16 {
		m.Cycle.Weights[6+h] = math.Min(1, math.Min(float64(h+1), float64(16-h))/6)
	}
	l := prepare(m, Options{}).lap(0)
	var got [24]float64
	for _, j := range l.jobs() {
		got[int(j.at/hour)%24]++
	}
	variation := 0.0
	for h, n := range got {
		variation += math.Abs(n/sum(got[:])-m.Cycle.Weights[h]/sum(m.Cycle.Weights)) / 2
	}
	if variation > .06 {
		t.Errorf("a share of %.3f of the jobs is in other hours than the model's, want at most .06: %v", variation, got)
	}
}

// If all run times are equal, only sizes differ between users: of two users with equally many
// jobs, the one with nine tenths of the work to do has the large jobs.
func TestSizesReachTheWork(t *testing.T) {
	m := handMade(population.Traits{LnJobs: math.Log(1000), SizeSD: 1, ChangeInBag: 1, ChangeBetween: 1, ChangeSession: 1})
	m.Sizes = population.Sizes{Sizes: []int64{1, 64}, Shares: []float64{.5, .5}}
	m.RunTimes.Classes = []population.LawClass{{Quantiles: constant(100)}}
	s := m.Users.Strata[0]
	s.Jobs = 1000
	small := s
	s.Work, small.Work = .9*6.5e6, .1*6.5e6
	m.Users.Strata = []population.Stratum{s, small}
	m.Log.Load = 6.5e6 / (8 * 28 * day)
	w := prepare(m, Options{})
	l := &lap{people: w.people(rand.New(rand.NewPCG(1, 2)))}
	w.each(l, drawing, w.draw)
	w.sizesAndRunTimes(l)
	for u, want := range []float64{s.Work, small.Work} {
		got := 0.0
		for i := range l.people[u].jobs {
			got += l.people[u].jobs[i].work()
		}
		if math.Abs(got-want) > .05*6.5e6 {
			t.Errorf("user %d has %g processor seconds, want %g", u, got, want)
		}
	}
}

// Sizes and run times use the same scores: after the work is distributed, the ranks of the scores
// give the sizes of templates and jobs.
func TestSizesOfTheLastScores(t *testing.T) {
	m := fitted(t)
	w := prepare(&m, Options{Seed: 1})
	l := &lap{people: w.people(rand.New(rand.NewPCG(1, 2)))}
	w.each(l, drawing, w.draw)
	w.sizesAndRunTimes(l)
	var sizes []int64
	for _, j := range l.jobs() {
		sizes = append(sizes, j.size)
	}
	w.sizes(l.templates(), l)
	i, others := 0, 0
	for x, j := range l.jobs() {
		if x.templates[j.template].size != sizes[i] {
			others++
		}
		i++
	}
	if others > 0 {
		t.Errorf("%d of %d jobs have other sizes than their scores", others, len(sizes))
	}
}

// Three templates have one job each. The one with the lowest score takes the ranks up to a third,
// and the two with equal scores follow in their order, so the middles are 1/6, 1/2 and 5/6.
func TestAssignByHand(t *testing.T) {
	templates := []*template{{score: 0, jobs: 1}, {score: 0, jobs: 1}, {score: -1, jobs: 1}}
	newAtoms([]float64{2, 3, 5}).assign(templates, func(t *template) float64 { return t.score }, func(t *template, place int) { t.size = int64(place) })
	for i, want := range []int64{1, 2, 0} {
		if got := templates[i].size; got != want {
			t.Errorf("template %d has place %d, want %d", i, got, want)
		}
	}
}

// Ten jobs arrive in each of two hours, from sessions that begin in the same hour; 15 and 5 are
// wanted. Without damping, one step gives the factors 3/2 and 1/2; with a damping of ten jobs
// they are approached in steps: 25/20, then (10 + 10 15/12.5)/20 = 22/20, then (10 + 10
// 15/13.75)/20.
func TestHourFactorsByHand(t *testing.T) {
	var arrivals [24][24]float64
	var want [24]float64
	arrivals[3][3], arrivals[4][4], want[3], want[4] = 10, 10, 15, 5
	for damping, factor := range map[float64]float64{0: 1.5, 10: 1.25 * 1.1 * (.5 + 7.5/13.75)} {
		got := hourFactors(&arrivals, &want, damping)
		if math.Abs(got[3]-factor) > 1e-12 || damping == 0 && math.Abs(got[4]-.5) > 1e-12 {
			t.Errorf("damping %g: %g and %g, want %g", damping, got[3], got[4], factor)
		}
	}
}

// Sessions on a day are more than an hour apart, but not concentrated just above an hour: with
// three sessions at random hours, about one pause in 500 is at most a minute longer than an hour.
func TestPausesBetweenSessions(t *testing.T) {
	w := fiveDays(.5)
	pauses, short := 0, 0
	for seed := range uint64(50) {
		x := user(w, 60)
		w.times(&w.cycle, x, rand.New(rand.NewPCG(seed, 4)))
		for i := range x.jobs[1:] {
			switch gap := x.jobs[i+1].at - x.jobs[i].at; {
			case gap <= hour:
				t.Fatalf("%g s between two sessions", gap)
			case gap < hour+60:
				short++
				fallthrough
			case gap < day:
				pauses++
			}
		}
	}
	if pauses < 1000 || short*100 > pauses {
		t.Errorf("%d of %d pauses are within a minute above an hour, want at most one in 100", short, pauses)
	}
}

// Within a stratum, the user who has made the most work gets the most to do.
func TestBudgetsByHand(t *testing.T) {
	people := []person{{work: 1}, {work: 5}, {work: 3}, {stratum: 1, work: 9}, {stratum: 1, work: 8}}
	budgets(people, []float64{70, 10, 40, 1, 2})
	for u, want := range []float64{5, 1, 3, 8, 9} {
		if people[u].work != want {
			t.Errorf("user %d has %g to do, want %g", u, people[u].work, want)
		}
	}
}

// Gaps within bags have the probabilities of their scores' ranks among the jobs of all users:
// 1/8, 3/8, 5/8 and 7/8 for four jobs, with equal scores in the users' order. A gap between bags
// has the normal probability of its score: .84134 for a score of 1. The first job of a session
// has none.
func TestGaps(t *testing.T) {
	l := &lap{people: []person{
		{jobs: []job{{how: opens, gap: 9}, {how: inBag, gap: 2}, {how: inBag, gap: 1}}},
		{jobs: []job{{how: opens, gap: 9}, {how: apart, gap: 1}, {how: inBag, gap: 2}, {how: inBag, gap: 1.5}}},
	}}
	(&Workload{}).gaps(l)
	for u, want := range [][]float64{{9, .625, .125}, {9, .84134, .875, .375}} {
		for i, p := range want {
			if got := l.people[u].jobs[i].gap; math.Abs(got-p) > 1e-5 {
				t.Errorf("user %d, job %d: %g, want %g", u, i, got, p)
			}
		}
	}
}

// Users begin sessions at hours 0 and 1, three times as many at hour 0. The average chance of
// waiting for a job is one half, odds of 1. For a job submitted at hour 1 the odds are 3 if it
// ends at hour 0, and nearly 0 if it ends at an hour without sessions.
func TestAtHour(t *testing.T) {
	m := &population.Model{}
	m.Cycle.Weights = make([]float64, 24)
	m.Cycle.Weights[0], m.Cycle.Weights[1] = 3, 1
	w := jobCycle(m)
	for _, c := range []struct{ chance, from, to, want float64 }{
		{.5, hour, hour + 100, .5},
		{.5, hour, day + 100, .75},
		{.5, 100, hour, .25},
		{.5, 100, 5 * hour, 0},
		{0, hour, day, 0},
		{1, 100, 5 * hour, 1},
	} {
		if got := w.atHour(c.chance, c.from, c.to); math.Abs(got-c.want) > 1e-3 {
			t.Errorf("a chance of %g, submitted at %g, ended at %g: %g, want %g", c.chance, c.from, c.to, got, c.want)
		}
	}
}

// By hand: ten jobs of 100 s and ten of 1000 s are mapped to a distribution with a quarter at 60
// s and the rest at 6000 s. Ranks up to a quarter map to 60 s, and no run time exceeds the
// distribution's largest.
func TestRankMap(t *testing.T) {
	from, to := make([]float64, runCells), make([]float64, runCells)
	from[runCell(100)], from[runCell(1000)] = 10, 10
	to[runCell(60)], to[runCell(6000)] = 5, 15
	m := rankMap(from, to)
	for run, want := range map[float64]int{0: runCell(60), 99: runCell(60), 500: runCell(6000), 1001: runCell(6000), 1e9: runCell(6000)} {
		if got := runCell(m.at(run)); got < want-1 || got > want+1 {
			t.Errorf("%g s to %g s", run, m.at(run))
		}
	}
}
