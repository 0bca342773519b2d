package fit

import "math"

// group is a run of neighbouring distinct values, from <= i < to.
type group struct{ from, to int }

// equalGroups splits distinct values with counts into at most n groups of
// about equal counts, without splitting a value: the sum of the squared
// differences from an n-th of all is the least possible, and of equal sums the
// one whose last groups begin earliest is taken. Every group has a value.
//
// A greedy split can be far from it: with it the slope of p(size) of the KTH
// log is a quarter of this one's. The dynamic programming takes time in
// proportion to n m log m for m values: the cost is convex in a group's
// count, so the best beginning of the last group moves only upward with its
// end, and each row is found by divide and conquer.
func equalGroups(counts []float64, n int) []group {
	m := len(counts)
	n = min(n, m)
	upTo := make([]float64, m+1)
	for i, c := range counts {
		upTo[i+1] = upTo[i] + c
	}
	share := upTo[m] / float64(n)
	cost := func(i, j int) float64 {
		d := upTo[j] - upTo[i] - share
		return d * d
	}
	// best[j] is the least cost of the first j values in g groups, from[g][j]
	// where the last of these groups begins.
	best, next := make([]float64, m+1), make([]float64, m+1)
	for j := range best {
		best[j] = math.Inf(1)
	}
	best[0] = 0
	from := make([][]int, n+1)
	for g := 1; g <= n; g++ {
		from[g] = make([]int, m+1)
		for j := range next {
			next[j] = math.Inf(1)
		}
		var row func(lo, hi, first, last int)
		row = func(lo, hi, first, last int) {
			if lo > hi {
				return
			}
			j := (lo + hi) / 2
			at := first
			for i := first; i <= min(last, j-1); i++ {
				if c := best[i] + cost(i, j); c < next[j] {
					next[j], at = c, i
				}
			}
			from[g][j] = at
			row(lo, j-1, first, at)
			row(j+1, hi, at, last)
		}
		row(g, m, g-1, m-1)
		best, next = next, best
	}
	groups := make([]group, n)
	for g, j := n, m; g > 0; g-- {
		groups[g-1] = group{from[g][j], j}
		j = from[g][j]
	}
	return groups
}
