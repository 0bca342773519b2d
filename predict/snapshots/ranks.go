package snapshots

import (
	"math"
	"slices"
)

// ranks are the distinct values of a feature, rising, with the share of the values
// below each and half of those equal to it.
type ranks struct{ values, shares []float64 }

func ranksOf(column []float64) ranks {
	sorted := slices.Clone(column)
	sorted = slices.DeleteFunc(sorted, math.IsNaN)
	slices.Sort(sorted)
	var r ranks
	for begin := 0; begin < len(sorted); {
		end := begin
		for end < len(sorted) && sorted[end] == sorted[begin] {
			end++
		}
		r.values = append(r.values, sorted[begin])
		r.shares = append(r.shares, float64(begin+end)/2/float64(len(sorted)))
		begin = end
	}
	return r
}

// of returns the rank of a value in [0, 1]; one between two values is the mean of
// theirs, NaN stays NaN.
func (r ranks) of(x float64) float64 {
	i, found := slices.BinarySearch(r.values, x)
	switch {
	case x != x || len(r.values) == 0:
		return math.NaN()
	case found:
		return r.shares[i]
	case i == 0:
		return 0
	case i == len(r.values):
		return 1
	}
	return (r.shares[i-1] + r.shares[i]) / 2
}
