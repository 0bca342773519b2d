package stats

import "math"

// EqualGroups splits values that occur so many times each into at most n runs
// of neighbours of about equal counts, without splitting a value, and returns
// where each run ends: run g holds the values ends[g-1] <= i < ends[g]. The sum
// of the squares of the runs' counts is the least that there is, and every run
// has a value. n is 1 or more.
//
// The cost of a run is convex in its count, so that the best beginning of the
// last run never falls as its end rises: time goes by n m log m for m values,
// memory by n m.
func EqualGroups(counts []float64, n int) (ends []int) {
	m := len(counts)
	n = min(n, m)
	if n == 0 {
		return nil
	}
	upTo := make([]float64, m+1)
	for i, c := range counts {
		upTo[i+1] = upTo[i] + c
	}
	// least[j] is the least cost of the first j values in the runs so far.
	least := make([]float64, m+1)
	for j := 1; j <= m; j++ {
		least[j] = math.Inf(1)
	}
	begins := make([][]int, n) // of run g, where it ends with value j-1
	for g := range n {
		next := make([]float64, m+1)
		for j := range next {
			next[j] = math.Inf(1)
		}
		begins[g] = make([]int, m+1)
		var fill func(low, high, first, last int)
		fill = func(low, high, first, last int) {
			if low > high {
				return
			}
			j := low + (high-low)/2
			for i := first; i <= min(last, j-1); i++ {
				d := upTo[j] - upTo[i]
				if cost := least[i] + d*d; cost < next[j] {
					next[j], begins[g][j] = cost, i
				}
			}
			fill(low, j-1, first, begins[g][j])
			fill(j+1, high, begins[g][j], last)
		}
		fill(g+1, m, g, m-1)
		least = next
	}
	ends = make([]int, n)
	for g, j := n-1, m; g >= 0; g-- {
		ends[g] = j
		j = begins[g][j]
	}
	return ends
}
