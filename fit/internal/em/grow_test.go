package em

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/fit/internal/points"
)

// Beside one wide component most places grow towards the two groups of a sample. Of
// alike ones the likeliest is kept, the likeliest comes first, and no more than
// growKept are.
func TestInserted(t *testing.T) {
	y, w := lnSeconds(dist.Normal{Mu: 4, Sigma: .3}, dist.Normal{Mu: 9, Sigma: .3}, .7, 4000)
	m := New[dist.LogNormal](Normals{Resolution: exact}, points.Set{X: y, W: w, Linear: true})
	base := []dist.Weighted[dist.LogNormal]{{Weight: 1, Law: dist.LogNormal{Mu: 6, Sigma: 3}}}
	starts := m.inserted(base)
	if len(starts) < 2 || len(starts) > growKept {
		t.Fatalf("%d starts, want 2 to %d", len(starts), growKept)
	}
	last := math.Inf(1)
	for i, s := range starts {
		if len(s) != 2 || s[0].Law != base[0].Law {
			t.Fatalf("start %d is %v, want the base and one more", i, s)
		}
		fittest.Near(t, "sum of the weights", s[0].Weight+s[1].Weight, 1, 1e-12)
		// The mean log-density of the mixture, by its definition.
		sum, jobs := 0.0, 0.0
		for k := range y {
			sum += w[k] * math.Log(s[0].Weight*gauss(s[0].Law, y[k])+s[1].Weight*gauss(s[1].Law, y[k]))
			jobs += w[k]
		}
		// growAt reports the likelihood before the last of its steps.
		if sum > last+1e-3*math.Abs(last) {
			t.Errorf("start %d is likelier, %g, than the one before, %g", i, sum, last)
		}
		last = sum
		for k := range i {
			if m.alike(starts[k][1].Law, s[1].Law) {
				t.Errorf("starts %d and %d are alike: %v and %v", k, i, starts[k][1].Law, s[1].Law)
			}
		}
	}
	// The larger group, with seven jobs of ten, raises the likelihood most.
	if best := starts[0][1]; math.Abs(best.Law.Mu-4) > .2 || best.Weight < .5 {
		t.Errorf("the best component is %v, want one at 4", best)
	}
	if base[0].Weight != 1 {
		t.Errorf("the base has changed: %v", base)
	}
}

func gauss(l dist.LogNormal, x float64) float64 {
	z := (x - l.Mu) / l.Sigma
	return math.Exp(-z*z/2) / (l.Sigma * math.Sqrt(2*math.Pi))
}

func TestAlike(t *testing.T) {
	m := New[dist.LogNormal](Normals{Resolution: exact}, points.Set{X: []float64{1, 2}, W: []float64{1, 1}, Linear: true})
	law := dist.LogNormal{Mu: 5, Sigma: 1}
	// Widths are the sigmas: 0.2 of their sum, 2, is 0.4; ln 1.6 is .47, ln 1.7 .53.
	for _, c := range []struct {
		other dist.LogNormal
		alike bool
	}{
		{law, true}, {dist.LogNormal{Mu: 5.39, Sigma: 1}, true}, {dist.LogNormal{Mu: 5.41, Sigma: 1}, false}, {dist.LogNormal{Mu: 4.59, Sigma: 1}, false},
		{dist.LogNormal{Mu: 5, Sigma: 1.6}, true}, {dist.LogNormal{Mu: 5, Sigma: 1.7}, false}, {dist.LogNormal{Mu: 5, Sigma: .6}, false},
	} {
		if got := m.alike(law, c.other); got != c.alike || m.alike(c.other, law) != got {
			t.Errorf("%v and %v: alike %t", law, c.other, got)
		}
	}
}
