package stats

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// anyFloat is any finite number, with the ends of the range and neighbours of powers
// of two more often.
func anyFloat(t *rapid.T) float64 {
	return rapid.OneOf(
		rapid.Float64(),
		rapid.Map(rapid.Int64Range(-1<<40, 1<<40), func(n int64) float64 { return float64(n) }),
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 0.1, -0.1, 1 << 47, 1<<47 - 1, -1 << 47, 1 << 62, -1 << 62, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022}),
	).Draw(t, "x")
}

// TestSumIsExact holds sums of numbers and products, one by one and merged in any way,
// against math/big's with all bits, rounded once.
func TestSumIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := new(big.Float).SetPrec(9000)
		parts := make([]Sum, 4)
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			to := &parts[rapid.IntRange(0, 3).Draw(t, "part")]
			x, y := anyFloat(t), 1.0
			if rapid.Bool().Draw(t, "product") {
				y = anyFloat(t)
				to.AddProduct(x, y)
			} else {
				to.Add(x)
			}
			p := new(big.Float).SetPrec(9000).SetFloat64(x)
			want.Add(want, p.Mul(p, new(big.Float).SetFloat64(y)))
			if rapid.IntRange(0, 9).Draw(t, "carry") == 0 && to.digits != nil {
				to.carry()
			}
		}
		var forwards, backwards Sum
		for i := range parts {
			forwards.Merge(&parts[i])
			backwards.Merge(&parts[len(parts)-1-i])
		}
		w, _ := want.Float64()
		if f, b := forwards.Float(), backwards.Float(); f != w || b != w {
			t.Fatalf("%g and %g, want %g", f, b, w)
		}
	})
}

func TestSumOfWhatIsNotFinite(t *testing.T) {
	var s Sum
	s.Add(1)
	s.Add(math.Inf(1))
	if !math.IsInf(s.Float(), 1) {
		t.Errorf("with +Inf: %g", s.Float())
	}
	s.AddProduct(math.Inf(-1), 2)
	if !math.IsNaN(s.Float()) {
		t.Errorf("with both: %g", s.Float())
	}
}

// TestExactMoments holds that exact moments are those of NumPy, and the same bits in
// any order and division.
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
		all, parts := batches(t, rapid.Float64Range(-1e9, 1e9))
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
		b.Run(fmt.Sprintf("values=%s/exact=all", name), func(b *testing.B) {
			for b.Loop() {
				var m ExactMoments
				m.AddAll(x)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/value")
		})
	}
}
