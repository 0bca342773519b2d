package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// A bootstrap draws each cell of rounded run times above 1 s with its probability, by a
// chi-square test at a false-alarm rate of 1e-9.
func TestDrawRounded(t *testing.T) {
	const n, last = 400000, 200
	for _, law := range []dist.Gamma{{Shape: 1, Scale: 1}, {Shape: 3, Scale: 0.6}} { // of ln t: a third of the first below 1.5 s
		tk := emTask(Sample{Values: []float64{2, 3}, Counts: []float64{1, 1}}, Options{Resolution: 1})
		values, counts := tk.draw(rand.New(rand.NewPCG(1, 2)), law, n)
		total, x2, rest := 0.0, 0.0, 1.0
		seen := map[float64]float64{}
		for i, x := range values {
			k := math.Round(math.Exp(x))
			if k < 2 || math.Abs(x-math.Log(k)) > 1e-14*x || i > 0 && x <= values[i-1] {
				t.Fatalf("a run time of e^%g s is drawn", x)
			}
			total += counts[i]
			seen[k] += counts[i]
		}
		if total != n {
			t.Errorf("%g drawn, want %d", total, n)
		}
		add := func(p, observed float64) { x2 += (observed - n*p) * (observed - n*p) / (n * p) }
		for k := 2.0; k <= last; k++ {
			p := (law.CDF(math.Log(k+0.5)) - law.CDF(math.Log(k-0.5))) / law.Survival(math.Log(1.5))
			add(p, seen[k])
			rest, total = rest-p, total-seen[k]
		}
		add(rest, total)
		if p := stats.ChiSquareSurvival(x2, last-1); p < 1e-9 {
			t.Errorf("%v: chi-square %.1f of %d cells has p = %g", law, x2, last, p)
		}
	}
}
