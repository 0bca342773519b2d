package predict

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomHead is a head that p running jobs can serve, of ages all over the law.
func randomHead(rng *rand.Rand, p int, unit int64) *Head {
	h := &Head{}
	for range p {
		h.Running = append(h.Running, Occupant{Size: unit * (1 + rng.Int64N(9)), Age: 20000 * math.Pow(rng.Float64(), 3)})
	}
	h.Needed = 1 + rng.Int64N(h.held())
	return h
}

// freedByOutcomes adds up all 2^p outcomes, as section 4.1 of the paper does.
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
		t.Errorf("the least probability is %g: the tail is not tried", least)
	}
}

// By hand: jobs of 2, 3 and 4 processors, each ended within t with probability
// 1/2 (aged 100 s, the median is 900 s). 5 processors: 3+4, 2+3, 2+4 and all,
// so 4 of 8 outcomes; 7: 3+4 and all. 10: never.
func TestFreedByByHand(t *testing.T) {
	for needed, want := range map[int64]float64{1: 7. / 8, 2: 7. / 8, 3: 6. / 8, 4: 5. / 8, 5: 4. / 8, 6: 3. / 8, 7: 2. / 8, 9: 1. / 8, 10: 0, 0: 1} {
		if got := newFreed(head(needed, 2, 100, 3, 100, 4, 100), law).by(900); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d needed: %g, want %g", needed, got, want)
		}
	}
	got, ok := DowneyAExact{law}.Predict(head(5, 2, 100, 3, 100, 4, 100))
	if !ok || !near(got.Seconds, 900, 1e-9) || got.Observations != 3 {
		t.Errorf("median %v, want 900 s", got)
	}
	if got, ok := (DowneyAExact{law}).Predict(head(10, 2, 100, 3, 100, 4, 100)); ok {
		t.Errorf("predicted %v for more than the machine frees", got)
	}
	// One job of the needed size: A exact is A.
	if got, _ := (DowneyAExact{law}).Predict(head(4, 8, 100)); !near(got.Seconds, 900, 1e-9) {
		t.Errorf("one job: %g, want 900", got.Seconds)
	}
}
