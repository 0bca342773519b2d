package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSpearmanAgainstSciPy(t *testing.T) {
	r := readSeriesReference(t).Spearman
	var s Spearman
	for i := range r.X {
		s.Add(r.X[i], r.Y[i])
		s.Add(math.NaN(), 1)
		s.Add(1, math.NaN())
	}
	if !near(s.R(), r.R, 1e-12) || s.N() != len(r.X) {
		t.Errorf("%d pairs: %.15g, want %.15g of %d", s.N(), s.R(), r.R, len(r.X))
	}
}

// TestSpearmanBuckets compares the buckets with exact ranks of the same pairs: sizes and times as
// in logs, over nine decades.
func TestSpearmanBuckets(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, pull := range []float64{-3, 0, 0.2, 2} {
		exact, grid := Spearman{Exact: 50_000}, Spearman{Exact: 100}
		for range 50_000 {
			size := math.Floor(math.Exp(6 * rng.Float64()))
			run := math.Floor(math.Exp(4 + 3*rng.NormFloat64() + pull*math.Log(size)))
			exact.Add(size, run)
			grid.Add(size, run)
		}
		if exact.grid != nil || grid.grid == nil {
			t.Fatalf("ranks in buckets: %t, %t", exact.grid != nil, grid.grid != nil)
		}
		if got, want := grid.R(), exact.R(); math.Abs(got-want) > 1e-3 {
			t.Errorf("pull %v: %v in buckets, %v exactly", pull, got, want)
		}
	}
}

func TestSpearmanEdges(t *testing.T) {
	var none, flat Spearman
	flat.Add(1, 2)
	flat.Add(1, 3)
	if !math.IsNaN(none.R()) || !math.IsNaN(flat.R()) {
		t.Errorf("none %v, flat %v", none.R(), flat.R())
	}
	// Buckets increase with the value, including at their bounds.
	last := 0
	for _, v := range []float64{-5, 0, 0.9, 1, 63, 63.9, 64, 65.3, 1e3, 1e6, 1e12, 1 << 40, 1e300, math.Inf(1)} {
		b := rankBucket(v)
		if b < last || b >= rankBuckets {
			t.Errorf("bucket of %v is %d, after %d of %d", v, b, last, rankBuckets)
		}
		last = b
	}
}
