package population

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// constant is a law of one value.
func constant(x float64) population.Quantiles {
	return population.Quantiles{P: []float64{0, 1}, X: []float64{x, x}}
}

// handMade is a model of one stratum whose users all have the same traits.
func handMade(traits map[population.Trait]float64) *population.Model {
	m := &population.Model{Processors: 8, Log: population.Log{Days: 28, Jobs: 100, Load: .5}}
	m.Sessions = population.Sessions{Within: constant(5), Apart: constant(700), Think: constant(30)}
	s := population.Stratum{Users: 1, Jobs: 100, Sessions: constant(2), Bags: constant(2)}
	for t := range s.Margins {
		x := traits[population.Trait(t)]
		s.Margins[t] = []float64{x, x}
	}
	m.Users.Strata = []population.Stratum{s}
	return m
}

// A bag that waits for the job before comes after its response and the time to think,
// another after the gap between bags; jobs of a bag follow each other by the gap
// within it.
func TestTimesByHand(t *testing.T) {
	for _, c := range []struct{ run, follow, want float64 }{
		{100, 25, 130}, {599, 25, 629}, {100, 0, 700}, {1e5, 5, 700},
	} {
		m := handMade(map[population.Trait]float64{population.Follow: c.follow, population.Days: 1, population.Active: 1})
		p := prepare(m, Options{})
		x := person{work: 1, jobs: []job{{how: opens, run: c.run, size: 1}, {how: apart, run: 7, size: 1}, {how: inBag, run: 7, size: 1}}, count: 3}
		x.sessions = append(x.sessions, 3)
		p.costs(&x)
		rng := rand.New(rand.NewPCG(1, 2))
		x.traits = p.traits(0, rng)
		p.times(&x, rng)
		if got := x.jobs[1].at - x.jobs[0].at; got != c.want {
			t.Errorf("run %g, follow %g: %g s, want %g", c.run, c.follow, got, c.want)
		}
		if got := x.jobs[2].at - x.jobs[1].at; got != 5 {
			t.Errorf("within the bag: %g s, want 5", got)
		}
	}
}

// Of two traits correlated by 0.8 the scores are z and 0.8 z + 0.6 z', the next
// numbers drawn; others are correlated with none.
func TestTraitsByHand(t *testing.T) {
	m := handMade(nil)
	s := &m.Users.Strata[0]
	for i := range s.Margins {
		s.Margins[i] = []float64{0, 1} // even, so that a trait is its probability
	}
	p := &prepared{m: m, factors: [][][]float64{cholesky([][]float64{{1}, {.8, 1}})}}
	got := p.traits(0, rand.New(rand.NewPCG(3, 4)))
	rng := rand.New(rand.NewPCG(3, 4))
	a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
	for i, z := range []float64{a, .8*a + .6*b, c} {
		if want := .5 * math.Erfc(-z/math.Sqrt2); math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("trait %d is %g, want %g", i, got[i], want)
		}
	}
}

// Scores of bags and of sessions that are not of one have the normal law where each
// user's have, whatever the share of those of one; where all are of one there is none.
func TestCalibrateByHand(t *testing.T) {
	traits := map[population.Trait]float64{population.LnJobs: math.Log(400), population.SessionOne: .5, population.SessionSD: 1, population.BagOne: .5, population.BagSD: 1}
	p := prepare(handMade(traits), Options{})
	for name, r := range map[string]ranks{"bags": p.bags[0].ranks, "sessions": p.visits[0].ranks} {
		for z, want := range map[float64]float64{-1: .1587, 0: .5, 1: .8413} {
			if got := r.at(z); math.Abs(got-want) > .02 {
				t.Errorf("%s: %g of the scores are up to %g, want %g", name, got, z, want)
			}
		}
	}
	traits[population.SessionOne], traits[population.BagOne] = 1, 1
	if p := prepare(handMade(traits), Options{}); p.bags[0].ranks.table != nil || p.visits[0].ranks.table != nil {
		t.Error("scores of bags and sessions where all are of one")
	}
}
