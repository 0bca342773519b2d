package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestEqualGroupsByHand(t *testing.T) {
	for _, c := range []struct {
		counts []float64
		n      int
		want   []int
	}{
		{nil, 3, nil},
		{[]float64{5}, 8, []int{1}},
		{[]float64{1, 1, 1, 1}, 2, []int{2, 4}},
		// A greedy split would put 6 and 5 together to reach a third.
		{[]float64{6, 5, 1, 6}, 3, []int{1, 3, 4}},
		{[]float64{100, 1, 1}, 3, []int{1, 2, 3}},
	} {
		if got := EqualGroups(c.counts, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d: %v, want %v", c.counts, c.n, got, c.want)
		}
	}
}

// leastSquares returns the least sum of squares over all ways to split.
func leastSquares(counts []float64, n int) float64 {
	switch {
	case len(counts) == 0 && n == 0:
		return 0
	case len(counts) == 0 || n == 0:
		return math.Inf(1)
	}
	best, sum := math.Inf(1), 0.0
	for i := len(counts) - 1; i >= 0; i-- {
		sum += counts[i]
		best = min(best, sum*sum+leastSquares(counts[:i], n-1))
	}
	return best
}

func TestEqualGroupsAreTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.Map(rapid.IntRange(1, 40), func(i int) float64 { return float64(i * i) }), 1, 11).Draw(t, "counts")
		n := rapid.IntRange(1, 6).Draw(t, "n")
		cost, from := 0.0, 0
		ends := EqualGroups(counts, n)
		for _, to := range ends {
			sum := 0.0
			for _, c := range counts[from:to] {
				sum += c
			}
			if to <= from {
				t.Fatalf("ends %v: an empty group", ends)
			}
			cost, from = cost+sum*sum, to
		}
		if want := leastSquares(counts, min(n, len(counts))); cost != want || from != len(counts) {
			t.Fatalf("ends %v of %v cost %v, the best %v", ends, counts, cost, want)
		}
	})
}
