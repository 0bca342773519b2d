package stats

import "math"

// EqualGroups divides ordered values with the given counts into at most n groups of consecutive
// values with nearly equal total counts, without splitting a value. It returns the ends of the
// groups: group g holds the values with ends[g-1] <= i < ends[g]. The sum of the squared totals
// is minimal, and no group is empty. n is 1 or more.
//
// For m values, time grows with n m log m and memory with n m.
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
	// least[j] is the lowest cost of dividing the first j values into the groups so far.
	least := make([]float64, m+1)
	for j := 1; j <= m; j++ {
		least[j] = math.Inf(1)
	}
	begins := make([][]int, n) // begins[g][j] is the first value of group g if it ends with value j-1
	for g := range n {
		next := make([]float64, m+1)
		for j := range next {
			next[j] = math.Inf(1)
		}
		begins[g] = make([]int, m+1)
		// fill computes next[j] for j in [low, high] by divide and conquer: the best start of the
		// group does not decrease with j, so it lies in [first, last].
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
