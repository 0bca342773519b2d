package predict

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomHead returns a head that p running jobs can serve, with ages over the whole distribution.
func randomHead(rng *rand.Rand, p int, unit int64) *Head {
	h := &Head{}
	for range p {
		h.Running = append(h.Running, Occupant{Size: unit * (1 + rng.Int64N(9)), Age: 20000 * math.Pow(rng.Float64(), 3)})
	}
	h.Needed = 1 + rng.Int64N(h.held())
	return h
}

// freedByOutcomes sums over all 2^p outcomes, as section 4.1 of the paper does.
func freedByOutcomes(h *Head, l Lifetimes, t float64) float64 {
	sum := 0.0
	for outcome := range 1 << len(h.Running) {
		probability, freed := 1.0, int64(0)
		for i, r := range h.Running {
			runs := l.Survival(r.Request, r.Age, t)
			if outcome>>i&1 == 1 {
				probability *= 1 - runs
				freed += r.Size
			} else {
				probability *= runs
			}
		}
		if freed >= h.Needed {
			sum += probability
		}
	}
	return sum
}

func TestFreedByAgainstOutcomes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	least := 1.0
	for p := 1; p <= 12; p++ {
		for range 12 {
			h := randomHead(rng, p, 1+rng.Int64N(3))
			for _, at := range []float64{1, 30, 900, 9000, 1e5, 1e9} {
				want, got := freedByOutcomes(h, law, at), newFreed(h, law).by(at)
				if math.Abs(got-want) > 1e-12*want {
					t.Fatalf("%d jobs, need %d, %g s: %.17g, want %.17g", p, h.Needed, at, got, want)
				}
				if want > 0 {
					least = min(least, want)
				}
			}
		}
	}
	if least > 1e-6 {
		t.Errorf("the least probability is %g: the tail is not tested", least)
	}
}
