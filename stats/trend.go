package stats

import (
	"math"
	"slices"
)

// Trend is the result of the Mann-Kendall test: whether the values of a series tend to rise
// or fall.
type Trend struct {
	N      int    `json:"n"` // number of known values
	S      int    `json:"s"` // pairs that rise minus pairs that fall
	PValue Number `json:"p_value"`
	// Slope is the change per step of the series, in the unit of the values; NaN for fewer
	// than two values.
	Slope Number `json:"slope"`
}

// MannKendall tests an equally spaced series for a monotonic trend and estimates its slope.
// NaN stands for an unknown value, which keeps its place in the series.
//
// The two-sided p-value is exact for up to 50 different values; for more, or with ties, it
// uses the normal approximation with the correction for ties (Mann, "Nonparametric tests
// against trend", Econometrica 13, 1945; Kendall, "Rank Correlation Methods", 1975). It
// assumes independent values, is NaN for fewer than three values, and 1 if all values are
// equal. The slope is the median of the slopes of all pairs (Sen, JASA
// 63, 1968). Time and memory grow with the square of the number of values.
func MannKendall(series []float64) Trend {
	var slopes, values []float64
	t := Trend{PValue: Number(math.NaN()), Slope: Number(math.NaN())}
	for i, x := range series {
		if math.IsNaN(x) {
			continue
		}
		values = append(values, x)
		for j := i + 1; j < len(series); j++ {
			y := series[j]
			if math.IsNaN(y) {
				continue
			}
			slopes = append(slopes, (y-x)/float64(j-i))
			switch {
			case y > x:
				t.S++
			case y < x:
				t.S--
			}
		}
	}
	t.N = len(values)
	if len(slopes) > 0 {
		slices.Sort(slopes)
		t.Slope = Number(Quantile(slopes, 0.5))
	}
	if t.N < 3 {
		return t
	}
	variance := pairTerm(float64(t.N))
	_, counts := Distinct(values)
	for _, c := range counts {
		variance -= pairTerm(c)
	}
	t.PValue = 1
	if t.N <= mostExact && len(counts) == t.N {
		t.PValue = Number(exactTrend(t.N, t.S))
	} else if variance > 0 {
		z := float64(t.S) / math.Sqrt(variance)
		t.PValue = Number(math.Erfc(math.Abs(z) / math.Sqrt2))
	}
	return t
}

// mostExact is the length up to which the p-value of a series without ties is exact.
const mostExact = 50

// exactTrend is the probability of an S at least as far from 0 among n different values in
// random order: n(n-1)/2 - S is twice the number of pairs that fall, whose distribution is
// that of the inversions of a permutation (Kendall 1975, chapter 5).
func exactTrend(n, s int) float64 {
	pairs := n * (n - 1) / 2
	fewer := (pairs - max(s, -s)) / 2
	if 2*fewer == pairs {
		return 1
	}
	share := make([]float64, fewer+1) // of the orders of the first k values, by inversions
	share[0] = 1
	for k := 2; k <= n; k++ {
		next, sum := make([]float64, fewer+1), 0.
		for i := range next {
			sum += share[i]
			if i >= k {
				sum -= share[i-k]
			}
			next[i] = sum / float64(k)
		}
		share = next
	}
	p := 0.
	for _, x := range share {
		p += x
	}
	return min(1, 2*p)
}

// pairTerm is n (n-1) (2n+5) / 18.
func pairTerm(n float64) float64 { return n * (n - 1) * (2*n + 5) / 18 }
