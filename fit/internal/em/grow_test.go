package em

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
)

// Beside one wide component most places grow towards the two groups of a sample. Of
// alike ones the likeliest is kept, the likeliest comes first, and no more than
// growKept are.
func TestInserted(t *testing.T) {
	y, w := lnSeconds(dist.Normal{Mu: 4, Sigma: .3}, dist.Normal{Mu: 9, Sigma: .3}, .7, 4000)
	m := New(Gammas{Resolution: exact}, NewPoints(y, w))
	base := []dist.WeightedGamma{{Weight: 1, Law: dist.Gamma{Shape: 4, Scale: 1.5}}} // mean 6, sd 3
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
			sum += w[k] * math.Log(s[0].Weight*math.Exp(s[0].Law.LogPDF(y[k]))+s[1].Weight*math.Exp(s[1].Law.LogPDF(y[k])))
			jobs += w[k]
		}
		// growAt reports the likelihood before the last of its steps, of which one still
		// gains up to 2 %.
		if sum > last+2e-2*math.Abs(last) {
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
	if best := starts[0][1]; math.Abs(best.Law.Mean()-4) > .2 || best.Weight < .5 {
		t.Errorf("the best component is %v, want one at 4", best)
	}
	if base[0].Weight != 1 {
		t.Errorf("the base has changed: %v", base)
	}
}

func TestAlike(t *testing.T) {
	m := New(Gammas{Resolution: exact}, NewPoints([]float64{1, 2}, []float64{1, 1}))
	// of returns a law with that ln of the mean and that relative width, 1/sqrt(shape).
	of := func(place, width float64) dist.Gamma {
		shape := 1 / (width * width)
		return dist.Gamma{Shape: shape, Scale: math.Exp(place) / shape}
	}
	law := of(5, 1)
	// 0.2 of the sum of the widths, 2, is 0.4; ln 1.6 is .47, ln 1.7 .53.
	for _, c := range []struct {
		other dist.Gamma
		alike bool
	}{
		{law, true}, {of(5.39, 1), true}, {of(5.41, 1), false}, {of(4.59, 1), false},
		{of(5, 1.6), true}, {of(5, 1.7), false}, {of(5, .6), false},
	} {
		if got := m.alike(law, c.other); got != c.alike || m.alike(c.other, law) != got {
			t.Errorf("%v and %v: alike %t", law, c.other, got)
		}
	}
}
