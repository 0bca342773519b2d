package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestMomentsAgainstNumPy(t *testing.T) {
	for _, r := range readReference(t).Quantiles {
		var m Moments
		var exact ExactMoments
		for _, x := range r.Values {
			m.Add(x)
			exact.Add(x)
		}
		if !near(exact.Mean(), r.Mean, 1e-15) || r.Variance != nil && !near(exact.Variance(), *r.Variance, 1e-12) {
			t.Errorf("exactly: mean %.17g, variance %.17g, want %.17g", exact.Mean(), exact.Variance(), r.Mean)
		}
		if !near(m.Mean(), r.Mean, 1e-13) || m.N() != len(r.Values) {
			t.Errorf("mean %g of %d, want %g of %d", m.Mean(), m.N(), r.Mean, len(r.Values))
		}
		if r.Variance == nil {
			if !math.IsNaN(m.Variance()) {
				t.Errorf("variance of one value: %g", m.Variance())
			}
		} else if !near(m.Variance(), *r.Variance, 1e-12) || !near(m.CV(), math.Sqrt(*r.Variance)/r.Mean, 1e-12) {
			t.Errorf("variance %g, want %g", m.Variance(), *r.Variance)
		}
	}
	if m := (Moments{}); !math.IsNaN(m.Mean()) || !math.IsNaN(m.Variance()) || m.Sum() != 0 || m.N() != 0 {
		t.Errorf("without values: %g, %g, %g", m.Mean(), m.Variance(), m.Sum())
	}
}

func TestMomentsDoNotCancel(t *testing.T) {
	var m Moments
	for _, x := range []float64{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16} {
		m.Add(x)
	}
	if m.Variance() != 30 { // by hand: deviations -6, -3, 3, 6
		t.Errorf("variance %g, want 30", m.Variance())
	}
}

// batches draws values and cuts them into batches.
func batches(t *rapid.T, value *rapid.Generator[float64]) (all []float64, parts [][]float64) {
	all = rapid.SliceOfN(value, 0, 60).Draw(t, "values")
	rest := all
	for len(rest) > 0 {
		n := rapid.IntRange(1, len(rest)).Draw(t, "batch")
		parts = append(parts, rest[:n])
		rest = rest[n:]
	}
	return all, parts
}

func TestMomentsMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all, parts := batches(t, rapid.Float64Range(-1e4, 1e4))
		var whole, merged, counted Moments
		for _, x := range all {
			whole.Add(x)
		}
		for _, p := range parts {
			var m Moments
			for _, x := range p {
				m.Add(x)
			}
			merged.Merge(m)
		}
		values, counts := Distinct(all)
		for i, v := range values {
			counted.AddCount(v, counts[i])
		}
		for _, m := range []Moments{merged, counted} {
			if m.N() != whole.N() || len(all) > 0 && math.Abs(m.Mean()-whole.Mean()) > 1e-9 ||
				len(all) > 1 && math.Abs(m.Variance()-whole.Variance()) > 1e-6+1e-9*whole.Variance() {
				t.Fatalf("one by one %+v, in parts %+v", whole, m)
			}
		}
	})
}
