package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestQuantilesAgainstNumPy(t *testing.T) {
	for _, r := range readReference(t).Quantiles {
		var q Distribution
		q.Add(math.NaN()) // not counted
		for _, x := range r.Values {
			q.Add(x)
		}
		sorted := slices.Clone(r.Values)
		slices.Sort(sorted)
		for i, p := range r.P {
			if got := q.Quantile(p); got != r.Quantiles[i] {
				t.Errorf("n = %d: Quantile(%g) = %.17g, want %.17g", len(sorted), p, got, r.Quantiles[i])
			}
			if got := Quantile(sorted, p); got != r.Quantiles[i] {
				t.Errorf("n = %d: Quantile of a slice at %g = %.17g, want %.17g", len(sorted), p, got, r.Quantiles[i])
			}
		}
		if q.Method() != "exact" || q.Min() != sorted[0] || q.Max() != sorted[len(sorted)-1] || q.N() != len(sorted) {
			t.Errorf("%s, %d values from %g to %g", q.Method(), q.N(), q.Min(), q.Max())
		}
	}
	var none Distribution
	if !math.IsNaN(none.Quantile(0.5)) || !math.IsNaN(none.Min()) || !math.IsNaN(none.Max()) {
		t.Error("of nothing: numbers")
	}
	if !math.IsNaN(Quantile([]float64{1}, 1.5)) || !math.IsNaN(Quantile([]float64{1}, math.NaN())) {
		t.Error("p out of range: numbers")
	}
}

func TestDistributionIsDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-10, 1e6), rapid.Map(rapid.IntRange(0, 40000), func(n int) float64 { return float64(n) })), 1, 60).Draw(t, "x")
		limit := rapid.SampledFrom([]int{0, 5}).Draw(t, "limit")
		one := Distribution{Limit: limit}
		for _, v := range x {
			one.Add(v)
		}
		values, counts := one.Values()
		want, wantCounts := Distinct(x)
		if one.Exact() != (limit == 0 || len(want) <= limit) {
			t.Errorf("%d distinct values with limit %d: %s", len(want), limit, one.Method())
		}
		if one.Exact() && (!slices.Equal(values, want) || !slices.Equal(counts, wantCounts)) {
			t.Errorf("%v %v, want %v %v", values, counts, want, wantCounts)
		}
		// With buckets, too, the distribution function is right at every value.
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

func TestSketchExtremes(t *testing.T) {
	q := Distribution{Limit: 1}
	x := []float64{math.Inf(-1), -math.MaxFloat64, -5e-324, 0, 5e-324, 1e-300, math.MaxFloat64, math.Inf(1), math.Inf(1)}
	for _, v := range x {
		q.Add(v)
	}
	for i, want := range x {
		got := q.Quantile(float64(i) / float64(len(x)-1))
		if math.Abs(want) == 5e-324 {
			want = 0
		}
		if !near(got, want, RelativeError*(1+1e-9)) {
			t.Errorf("value %d: %g, want %g", i, got, want)
		}
	}
}

// A spike counted exactly in one distribution and in a bucket in the other is still one spike.
func TestAlignedOfExactAndBuckets(t *testing.T) {
	exact, buckets := Distribution{}, Distribution{Limit: 2}
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

// TestSketch compares the buckets with the values themselves, over sixty decades of both signs.
func TestSketch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	whole := Distribution{Limit: 1}
	var values []float64
	for i := range 20_000 {
		x := math.Exp(140 * (rng.Float64() - 0.5))
		switch {
		case i%50 == 0:
			x = 0
		case i%3 == 0:
			x = -x
		}
		values = append(values, x)
		whole.Add(x)
	}
	slices.Sort(values)
	if whole.N() != len(values) {
		t.Fatalf("%d values, want %d", whole.N(), len(values))
	}
	for i := range 200 {
		p := float64(i) / 199
		want, got := Quantile(values, p), whole.Quantile(p)
		if math.Abs(got-want) > RelativeError*math.Abs(want) {
			t.Errorf("quantile %g is %g, want %g to %g", p, got, want, RelativeError)
		}
	}
	some := []float64{math.Inf(-1), -1, 0, 1, 3600, math.Inf(1)}
	for range 50 {
		some = append(some, values[rng.IntN(len(values))])
	}
	for _, x := range some {
		low := shareUpTo(values, x)
		high := shareUpTo(values, x+math.Abs(x)*2*RelativeError)
		if got := whole.AtMost(x); !(got >= low && got <= high) {
			t.Errorf("a share of %g is at most %g, want %g to %g", got, x, low, high)
		}
	}
}

// shareUpTo returns the share of ascending values that are at most x.
func shareUpTo(values []float64, x float64) float64 {
	n := 0
	for _, v := range values {
		if v <= x {
			n++
		}
	}
	return float64(n) / float64(len(values))
}
