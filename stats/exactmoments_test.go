package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestExactMoments holds that exact moments are those of NumPy, and the same bits
// when they are merged.
func TestExactMoments(t *testing.T) {
	for _, r := range readReference(t).Quantiles {
		var m ExactMoments
		for _, x := range r.Values {
			m.Add(x)
		}
		if !near(m.Mean(), r.Mean, 1e-15) || r.Variance != nil && !near(m.Variance(), *r.Variance, 1e-12) {
			t.Errorf("mean %.17g, variance %.17g, want %.17g", m.Mean(), m.Variance(), r.Mean)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		all, parts := batches(t, rapid.Float64Range(0, 1e9))
		var whole, merged ExactMoments
		for _, x := range all {
			whole.Add(x)
		}
		for i := len(parts) - 1; i >= 0; i-- {
			var m ExactMoments
			for _, x := range parts[i] {
				m.Add(x)
			}
			merged.Merge(&m)
		}
		same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b }
		if !same(whole.Mean(), merged.Mean()) || !same(whole.CV(), merged.CV()) {
			t.Fatalf("%g %g, merged %g %g", whole.Mean(), whole.CV(), merged.Mean(), merged.CV())
		}
	})
}

func BenchmarkMoments(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	whole, any := make([]float64, 1<<14), make([]float64, 1<<14)
	for i := range whole {
		any[i] = 1e5 * rng.Float64()
		whole[i] = math.Floor(any[i])
	}
	for name, x := range map[string][]float64{"whole": whole, "any": any} {
		b.Run(fmt.Sprintf("values=%s/exact=false", name), func(b *testing.B) {
			for b.Loop() {
				var m Moments
				for _, v := range x {
					m.Add(v)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/value")
		})
		b.Run(fmt.Sprintf("values=%s/exact=true", name), func(b *testing.B) {
			for b.Loop() {
				var m ExactMoments
				for _, v := range x {
					m.Add(v)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/value")
		})
	}
}
