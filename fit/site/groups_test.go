package site

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/stats"
)

// leastCost is the best cost of splitting counts into n groups, by trying all.
func leastCost(counts []float64, n int, share float64) float64 {
	if n == 0 {
		if len(counts) == 0 {
			return 0
		}
		return math.Inf(1)
	}
	best, sum := math.Inf(1), 0.0
	for i := len(counts) - 1; i >= 0; i-- {
		sum += counts[i]
		best = min(best, leastCost(counts[:i], n-1, share)+(sum-share)*(sum-share))
	}
	return best
}

func TestEqualGroupsAreTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.Map(rapid.IntRange(1, 50), func(i int) float64 { return float64(i * i) }), 1, 12).Draw(t, "counts")
		n := rapid.IntRange(1, 8).Draw(t, "n")
		groups := equalGroups(counts, n)
		n = min(n, len(counts))
		total := 0.0
		for _, c := range counts {
			total += c
		}
		share, cost, next := total/float64(n), 0.0, 0
		for _, g := range groups {
			if g.from != next || g.to <= g.from {
				t.Fatalf("groups %v do not follow each other", groups)
			}
			next = g.to
			sum := 0.0
			for _, c := range counts[g.from:g.to] {
				sum += c
			}
			cost += (sum - share) * (sum - share)
		}
		if len(groups) != n || next != len(counts) {
			t.Fatalf("groups %v of %d values, want %d groups of all", groups, len(counts), n)
		}
		if want := leastCost(counts, n, share); math.Abs(cost-want) > 1e-9*(1+want) {
			t.Fatalf("groups %v of %v cost %g, the best %g", groups, counts, cost, want)
		}
	})
}

func TestShareML(t *testing.T) {
	inf := 800.0 // exp of it overflows
	for _, tt := range []struct {
		name          string
		ratio, weight []float64
		want          float64
	}{
		{"all of the first", []float64{inf, 3}, []float64{5, 1}, 1},
		{"all of the second", []float64{-inf, -3}, []float64{5, 1}, 0},
		{"clearly told apart", []float64{inf, -inf}, []float64{3, 1}, 0.75},
		// 2 jobs with f1/f2 = 2 and one with 1/4: 2/(1+p) = 0.75/(1-0.75p),
		// so p = 1.25/2.25.
		{"by hand", []float64{math.Log(2), math.Log(0.25)}, []float64{2, 1}, 1.25 / 2.25},
	} {
		fittest.Near(t, tt.name, shareML(tt.ratio, tt.weight), tt.want, 1e-9)
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		values, counts []float64
		want           float64
	}{
		{[]float64{4}, []float64{3}, 4},
		{[]float64{1, 2}, []float64{2, 2}, 1.5},
		{[]float64{1, 2, 9}, []float64{1, 2, 2}, 2},
		{[]float64{1, 2, 9}, []float64{1, 1, 4}, 9},
	} {
		fittest.Near(t, "median", stats.MedianOfCounts(tt.values, tt.counts), tt.want, 0)
	}
}
