package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// TestDrawRounded: by the table and from the law itself, each cell is drawn as
// often as its probability, by a chi-square at a false-alarm rate of 1e-9, and
// what lies beyond the table too.
func TestDrawRounded(t *testing.T) {
	testDrawRounded(t, dist.Gamma{Shape: 1, Scale: 1}) // of ln t: a third of it below 1.5 s
	testDrawRounded(t, dist.Gamma{Shape: 3, Scale: 0.6})
}

func testDrawRounded(t *testing.T, law dist.Gamma) {
	t.Helper()
	const n = 400000
	tk := emTask(t, Sample{Values: []float64{2, 3}, Counts: []float64{n, n}}, Options{Resolution: 1, Replicates: 1e6})
	table := tk.newCellTable(law, 500)
	if table == nil {
		t.Fatal("no table")
	}
	above := law.Survival(math.Log(1.5))
	for name, by := range map[string]*cellTable{"table": table, "law": nil} {
		rng := rand.New(rand.NewPCG(1, 2))
		values, counts := tk.draw(rng, law, n)
		if by != nil {
			values, counts = tk.drawCells(rng, by, n)
		}
		total, beyond, far := 0.0, 0.0, 0.0
		seen := map[float64]float64{}
		for i, x := range values {
			k := math.Round(math.Exp(x))
			if k < 2 || math.Abs(x-math.Log(k)) > 1e-14*x || i > 0 && x <= values[i-1] {
				t.Fatalf("%s: a run time of e^%g s is drawn", name, x)
			}
			total += counts[i]
			seen[k] += counts[i]
			if x > table.end {
				beyond += counts[i]
				if law.Survival(x) < law.Survival(table.end)/2 {
					far += counts[i]
				}
			}
		}
		if total != n {
			t.Errorf("%s: %g drawn, want %d", name, total, n)
		}
		const last = 200
		x2, rest := 0.0, 1.0
		add := func(p, observed float64) { x2 += (observed - n*p) * (observed - n*p) / (n * p) }
		for k := 2.0; k <= last; k++ {
			p := (law.CDF(math.Log(k+0.5)) - law.CDF(math.Log(k-0.5))) / above
			add(p, seen[k])
			rest -= p
			total -= seen[k]
		}
		add(rest, total)
		if p := stats.ChiSquareSurvival(x2, last-1); p < 1e-9 {
			t.Errorf("%s: chi-square %.1f of %d cells has p = %g", name, x2, last, p)
		}
		p := law.Survival(table.end) / above
		for part, observed := range map[float64]float64{1: beyond, 0.5: far} {
			if d := math.Abs(observed - n*p*part); d > 6*math.Sqrt(n*p*part)+1 {
				t.Errorf("%s: %g beyond the last part %g of the table's end, want %.1f", name, observed, part, n*p*part)
			}
		}
	}
}
