package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestDistinctCountsIsDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-10, 1e6), rapid.Map(rapid.IntRange(0, 40000), func(n int) float64 { return float64(n) })), 1, 60).Draw(t, "x")
		cut := rapid.IntRange(0, len(x)).Draw(t, "cut")
		limit := rapid.SampledFrom([]int{0, 5}).Draw(t, "limit")
		one, a, b := DistinctCounts{Limit: limit}, DistinctCounts{Limit: limit}, DistinctCounts{Limit: limit}
		for i, v := range x {
			one.Add(v)
			if i < cut {
				a.Add(v)
			} else {
				b.Add(v)
			}
		}
		a.Merge(&b)
		values, counts := one.Values()
		merged, mergedCounts := a.Values()
		if !slices.Equal(values, merged) || !slices.Equal(counts, mergedCounts) || one.N() != len(x) || a.N() != len(x) || one.Exact() != a.Exact() {
			t.Errorf("one by one %v %v, merged %v %v", values, counts, merged, mergedCounts)
		}
		want, wantCounts := Distinct(x)
		if one.Exact() != (limit == 0 || len(want) <= limit) {
			t.Errorf("%d distinct values with limit %d: %s", len(want), limit, one.Method())
		}
		if one.Exact() && (!slices.Equal(values, want) || !slices.Equal(counts, wantCounts)) {
			t.Errorf("%v %v, want %v %v", values, counts, want, wantCounts)
		}
		// In buckets, too, the distribution function is right at every value.
		upTo := func(x float64, values, counts []float64) (n float64) {
			for i, v := range values {
				if v <= x {
					n += counts[i]
				}
			}
			return n
		}
		for _, v := range values {
			end := v
			if v == 0 && !one.Exact() {
				end = math.Nextafter(0x1p-1022, 0) // subnormal numbers count as 0
			}
			got, exact := upTo(v, values, counts), upTo(end, want, wantCounts)
			if got != exact {
				t.Errorf("up to %g: %g, want %g", v, got, exact)
			}
		}
		if one.Quantile(0) != want[0] || one.Quantile(1) != want[len(want)-1] {
			t.Errorf("from %g to %g, want %g to %g", one.Quantile(0), one.Quantile(1), want[0], want[len(want)-1])
		}
	})
}

func TestDistinctCountsQuantiles(t *testing.T) {
	var c DistinctCounts
	x := []float64{5, 5, 1, 20000.5, 7, 3}
	for _, v := range append(x, math.NaN(), math.Inf(1)) {
		c.Add(v)
	}
	slices.Sort(x)
	for i, p := range []float64{0, 0.05, 0.5, 0.77, 1} {
		if got, want := c.Quantiles(0, 0.05, 0.5, 0.77, 1)[i], Quantile(x, p); got != want {
			t.Errorf("%g-quantile %g, want %g", p, got, want)
		}
	}
	if c.N() != 6 {
		t.Errorf("%d values", c.N())
	}
	if none := new(DistinctCounts); !math.IsNaN(none.Quantile(0.5)) || !math.IsNaN(none.Quantile(0)) {
		t.Error("a quantile of nothing is a number")
	}
}

// A spike counted exactly on one side and in a bucket on the other is one spike.
func TestAlignedOfExactAndBuckets(t *testing.T) {
	exact, buckets := DistinctCounts{}, DistinctCounts{Limit: 2}
	for _, v := range []float64{100, 3600, 3600, 3600, 9999} {
		exact.Add(v)
		buckets.Add(v)
	}
	vx, cx, vy, cy := Aligned(&exact, &buckets)
	ks, err := KolmogorovSmirnovTwoSample(vx, cx, vy, cy)
	if err != nil || ks.D != 0 || !exact.Exact() || buckets.Exact() {
		t.Errorf("D %g, %v", ks.D, err)
	}
}
