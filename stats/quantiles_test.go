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
		var q Quantiles
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
	var none Quantiles
	if !math.IsNaN(none.Quantile(0.5)) || !math.IsNaN(none.Min()) || !math.IsNaN(none.Max()) {
		t.Error("of nothing: numbers")
	}
	if !math.IsNaN(Quantile([]float64{1}, 1.5)) || !math.IsNaN(Quantile([]float64{1}, math.NaN())) {
		t.Error("p out of range: numbers")
	}
}

func TestQuantilesLimit(t *testing.T) {
	q := Quantiles{Exact: 3}
	for i, want := range []string{"exact", "exact", "exact", "sketch, relative error 0.001"} {
		q.Add(float64(i))
		if q.Method() != want {
			t.Errorf("%d values with a limit of 3: %s, want %s", i+1, q.Method(), want)
		}
	}
}

// TestSketchError compares the sketch with the exact quantiles of the same
// values, over 30 decades and both signs.
func TestSketchError(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	exact, sketched := Quantiles{Exact: 1 << 20}, Quantiles{Exact: 100}
	for range 50_000 {
		x := math.Exp(70 * (rng.Float64() - 0.5))
		switch rng.IntN(5) {
		case 0:
			x = -x
		case 1:
			x = 0
		}
		exact.Add(x)
		sketched.Add(x)
	}
	sketched.Add(math.NaN()) // not counted
	if sketched.Method() != "sketch, relative error 0.001" || exact.Method() != "exact" {
		t.Fatalf("methods %q, %q", sketched.Method(), exact.Method())
	}
	if sketched.N() != exact.N() || sketched.Min() != exact.Min() || sketched.Max() != exact.Max() {
		t.Fatalf("%d from %g to %g, want %d from %g to %g", sketched.N(), sketched.Min(), sketched.Max(), exact.N(), exact.Min(), exact.Max())
	}
	for i := range 1001 {
		p := float64(i) / 1000
		got, want := sketched.Quantile(p), exact.Quantile(p)
		if !near(got, want, RelativeError*(1+1e-9)) {
			t.Errorf("Quantile(%g) = %g, want %g within 0.1 %%", p, got, want)
		}
	}
}

func TestSketchExtremes(t *testing.T) {
	q := Quantiles{Exact: 1}
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

// TestQuantilesMerge holds that one by one, in batches and merged agree
// exactly, on both sides of the limit.
func TestQuantilesMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all, parts := batches(t, rapid.Float64Range(-1e6, 1e6))
		limit := rapid.IntRange(1, 80).Draw(t, "limit")
		whole, merged := Quantiles{Exact: limit}, Quantiles{Exact: limit}
		for _, x := range all {
			whole.Add(x)
		}
		for _, p := range parts {
			q := Quantiles{Exact: limit}
			for _, x := range p {
				q.Add(x)
			}
			merged.Merge(&q)
		}
		if merged.N() != whole.N() || merged.Method() != whole.Method() {
			t.Fatalf("%d %s, want %d %s", merged.N(), merged.Method(), whole.N(), whole.Method())
		}
		for _, p := range []float64{0, 0.1, 0.5, 0.77, 1} {
			if a, b := merged.Quantile(p), whole.Quantile(p); a != b && len(all) > 0 {
				t.Fatalf("Quantile(%g): merged %g, one by one %g", p, a, b)
			}
		}
	})
}
