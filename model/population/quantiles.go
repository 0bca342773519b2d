package population

import (
	"math"
	"slices"
	"strconv"
)

// Quantiles is a law given by quantiles, interpolated linearly in ln(1 + x).
type Quantiles struct {
	P []float64 `opt:"p" repeats:"true"`               // ascending, from 0 to 1
	X []float64 `opt:"x" in:"[0,1e10]" repeats:"true"` // non-decreasing, at least 0
}

// NewQuantiles keeps the quantiles at the probabilities of grid, and at 1 minus each.
var grid = []float64{0, .001, .002, .005, .01, .02, .04, .06, .08, .1, .125, .15, .175, .2, .225, .25, .275, .3, .325, .35, .375, .4, .425, .45, .475, .5}

// With more than 2000 values, it also keeps those at the probabilities of tail.
var tail = []float64{.9997, .9999, .99997}

// NewQuantiles returns the law of sorted values: at most 54 quantiles, fewer
// for fewer values.
func NewQuantiles(sorted []float64) (q Quantiles) {
	n := float64(len(sorted))
	if n == 0 {
		return q
	}
	add := func(p float64) {
		if k := len(q.P); k == 0 || q.P[k-1] != p {
			q.P, q.X = append(q.P, p), append(q.X, Short(sorted[min(len(sorted)-1, int(p*n))]))
		}
	}
	for _, p := range grid {
		if p == 0 || p*n >= 1 {
			add(p)
		}
	}
	for _, p := range slices.Backward(grid[1:]) {
		if p*n >= 1 {
			add(1 - p)
		}
	}
	for _, p := range tail {
		if n > 2000 && (1-p)*n >= 1 {
			add(p)
		}
	}
	add(1)
	return q
}

// Short returns x rounded to six significant digits.
func Short(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	return y
}

// At returns the p-quantile, 0 for the zero value of q.
func (q *Quantiles) At(p float64) float64 {
	n := len(q.P)
	if n == 0 {
		return 0
	}
	k, exact := slices.BinarySearch(q.P, p)
	k = min(k, n-1)
	b := q.X[k]
	if k == 0 || exact || p > q.P[k] || q.X[k-1] == b {
		return b
	}
	a := q.X[k-1]
	f := (p - q.P[k-1]) / (q.P[k] - q.P[k-1])
	return math.Expm1(math.Log1p(a) + f*(math.Log1p(b)-math.Log1p(a)))
}
