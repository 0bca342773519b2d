package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// TestWalkDrawsCells: by the walk and one by one, each cell is drawn as often
// as its probability, by a chi-square at a false-alarm rate of 1e-9: with and
// without a cut, a cell's half below 1 s left out of a logarithm, and a tail
// beyond the walk's cells.
func TestWalkDrawsCells(t *testing.T) {
	const n = 300000
	for _, tt := range []struct {
		law dist.Gamma // of ln t
		o   Options
	}{
		{dist.Gamma{Shape: 1, Scale: 1}, Options{Rounding: RoundedNearest}},
		{dist.Gamma{Shape: 3, Scale: 1.6}, Options{Rounding: RoundedDown}},
		{dist.Gamma{Shape: 3, Scale: 0.6}, Options{Rounding: RoundedDown, Max: 150.5}},
	} {
		tt.o.Resolution, tt.o.Replicates = 1, 1e6
		tk := emTask(t, Sample{Values: []float64{2, 3}, Counts: []float64{n, n}}, tt.o)
		law := tk.cut(tt.law)
		walk := tk.newCellWalk(law, n, jobLimits{})
		if walk == nil {
			t.Fatal("no walk")
		}
		for _, name := range []string{"walk", "one by one"} {
			rng := rand.New(rand.NewPCG(1, 2))
			var values, counts []float64
			if name == "walk" {
				values, counts, _ = walk.draw(rng, n)
			} else {
				values, counts, _ = tk.drawOneByOne(rng, law, n, jobLimits{})
			}
			seen := map[float64]float64{}
			total := 0.0
			for i, x := range values {
				if i > 0 && x <= values[i-1] {
					t.Fatalf("%s: %g after %g", name, x, values[i-1])
				}
				k := tt.o.Rounding.value(math.Exp(x), 1)
				if lo, hi := tt.o.Rounding.Cell(k, 1); math.Abs(math.Exp(x)-(max(1, lo)+hi)/2) > 1e-9*hi && !(tt.o.Max > 0) {
					t.Fatalf("%s: %g s is no middle of a cell", name, math.Exp(x))
				}
				seen[k] += counts[i]
				total += counts[i]
			}
			if total != n {
				t.Errorf("%s: %g drawn, want %d", name, total, n)
			}
			const last = 149
			x2, rest, cells := 0.0, 1.0, 0
			for k := 1.0; k <= last; k++ {
				lo, hi := tt.o.Rounding.Cell(k, 1)
				p := law.CDF(math.Log(hi)) - law.CDF(math.Log(max(1, lo)))
				x2 += (seen[k] - n*p) * (seen[k] - n*p) / (n * p)
				rest -= p
				total -= seen[k]
				cells++
			}
			x2 += (total - n*rest) * (total - n*rest) / (n * rest)
			if p := stats.ChiSquareSurvival(x2, cells); p < 1e-9 {
				t.Errorf("%s of %v: chi-square %.1f of %d cells has p = %g", name, law, x2, cells, p)
			}
			beyond := 0.0
			for i, x := range values {
				if x > walk.end {
					beyond += counts[i]
				}
			}
			if want := n * law.Survival(walk.end); math.Abs(beyond-want) > 6*math.Sqrt(want)+1 {
				t.Errorf("%s of %v: %g beyond the cells, want %.1f", name, law, beyond, want)
			}
		}
	}
}

// TestWalkKills: of a law with two limits, by the walk and one by one, the
// numbers that end in the two halves of a limit's cell, that are killed there
// and that end elsewhere have the probabilities of independent run times and
// limits, each within 6 standard errors.
func TestWalkKills(t *testing.T) {
	const n = 200000
	law := dist.Exponential{Mean: 20}
	limits := jobLimits{values: []float64{5, 30}, shares: []float64{0.25, 0.5}, below: []float64{0.25, 0.625}}
	for _, o := range []Options{{Rounding: RoundedNearest}, {Rounding: RoundedDown}, {}} {
		o.Resolution, o.Replicates, o.Transform, o.Censored = 1, 1000, None, true
		tk := task{family: family{positive: true}, options: o}
		for _, walked := range []bool{true, false} {
			name := fmt.Sprintf("rounded %s, walked %t", o.Rounding, walked)
			rng := rand.New(rand.NewPCG(4, 4))
			var x, counts, killed []float64
			if walked {
				w := tk.newCellWalk(law, n, limits)
				if w == nil {
					t.Fatal("no walk")
				}
				x, counts, killed = w.draw(rng, n)
			} else {
				x, counts, killed = tk.drawOneByOne(rng, law, n, limits)
			}
			drawn, cut := map[float64]float64{}, map[float64]float64{}
			for i := range x {
				v := math.Floor(x[i])
				if o.Rounding == RoundedNearest {
					v = math.Round(x[i])
				}
				drawn[v] += counts[i] - killed[i]
				cut[v] += killed[i]
			}
			s := func(v float64) float64 { return math.Exp(-v / 20) }
			all := 1.0
			if o.Rounding == NoRounding {
				all = s(0.5) // a job of 0 s is drawn again
			}
			check := func(what string, got, p float64) {
				t.Helper()
				p /= all
				near(t, name+": "+what, got/n, p, 6*math.Sqrt(p/n))
			}
			check("killed at 5", cut[5], 0.25*s(5))
			check("killed at 30", cut[30], 0.375*s(30))
			if o.Rounding == RoundedDown {
				check("ended at 5", drawn[5], 0.75*(s(5)-s(6)))
				check("ended at 4", drawn[4], s(4)-s(5))
			} else {
				check("ended at 5", drawn[5], s(4.5)-s(5)+0.75*(s(5)-s(5.5)))
				check("ended at 4", drawn[4], s(3.5)-s(4.5))
			}
			if len(cut) > 0 && cut[4]+cut[29] > 0 {
				t.Errorf("%s: jobs are killed where there is no limit", name)
			}
		}
	}
}
