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
// The two-sided p-value uses the normal approximation with the correction for ties (Mann,
// "Nonparametric tests against trend", Econometrica 13, 1945; Kendall, "Rank Correlation
// Methods", 1975). It assumes independent values, is NaN for fewer than three values, and 1
// if all values are equal. The slope is the median of the slopes of all pairs (Sen, JASA
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
	if variance > 0 {
		z := float64(t.S) / math.Sqrt(variance)
		t.PValue = Number(math.Erfc(math.Abs(z) / math.Sqrt2))
	}
	return t
}

// pairTerm is n (n-1) (2n+5) / 18.
func pairTerm(n float64) float64 { return n * (n - 1) * (2*n + 5) / 18 }
