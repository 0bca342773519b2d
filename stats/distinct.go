package stats

import (
	"math"
	"slices"
)

// Distinct returns the distinct values of x in ascending order, and how often each occurs. NaNs
// are dropped; their number is len(x) minus the sum of counts. -0 counts as 0. x is not modified.
//
// Counts are float64 because callers multiply by them. Small whole numbers, such as run times in
// seconds, are counted in one pass instead of being sorted.
func Distinct(x []float64) (values, counts []float64) {
	if values, counts, ok := countWhole(x); ok {
		return values, counts
	}
	sorted := make([]float64, 0, len(x))
	for _, v := range x {
		if !math.IsNaN(v) {
			sorted = append(sorted, v+0) // -0 + 0 is 0
		}
	}
	slices.Sort(sorted)
	for i, v := range sorted {
		if i == 0 || v != sorted[i-1] {
			values = append(values, v)
			counts = append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	return values, counts
}

// maxWhole bounds the table of countWhole: 2^22 seconds are 48 days.
const maxWhole = 1 << 22

// countWhole is Distinct for whole numbers in [0, maxWhole), provided there
// are enough of them to be worth a table of that range.
func countWhole(x []float64) (values, counts []float64, ok bool) {
	top := -1.0
	for _, v := range x {
		if math.IsNaN(v) {
			continue
		}
		if !(v >= 0 && v < maxWhole) || v != math.Trunc(v) {
			return nil, nil, false
		}
		top = max(top, v)
	}
	if top > 16*float64(len(x)) {
		return nil, nil, false
	}
	table := make([]float64, int(top)+1)
	n := 0
	for _, v := range x {
		if !math.IsNaN(v) {
			if table[int(v)] == 0 {
				n++
			}
			table[int(v)]++
		}
	}
	values, counts = make([]float64, 0, n), make([]float64, 0, n)
	for v, c := range table {
		if c > 0 {
			values, counts = append(values, float64(v)), append(counts, c)
		}
	}
	return values, counts, true
}

// MedianOfCounts returns the median of distinct ascending values with counts, of which there must
// be at least one. If two values are in the middle, it is their mean.
func MedianOfCounts(values, counts []float64) float64 {
	total := 0.0
	for _, c := range counts {
		total += c
	}
	upTo := 0.0
	for i, c := range counts {
		upTo += c
		if 2*upTo == total && i+1 < len(values) {
			return (values[i] + values[i+1]) / 2
		}
		if 2*upTo > total {
			return values[i]
		}
	}
	return values[len(values)-1]
}
