package stats

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// series returns up to three blocks of values of one kind, with some of any kind among
// them.
func series(t *rapid.T) []float64 {
	kind := rapid.SampledFrom([]float64{5, 1<<26 - 1, 1 << 26, 1<<47 - 1}).Draw(t, "largest")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	x := make([]float64, rapid.IntRange(0, 3*blockSize).Draw(t, "n"))
	for i := range x {
		x[i] = kind
		if rng.IntN(2) == 0 {
			x[i] = float64(rng.Int64N(2*int64(kind)) - int64(kind))
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "odd") {
		if len(x) > 0 {
			x[rng.IntN(len(x))] = anyFloat(t)
		}
	}
	return x
}

// TestAddAll checks that values added many at once have the sums of those added one by
// one, which TestSumIsExact holds against math/big.
func TestAddAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := series(t), series(t)
		n := min(len(x), len(y))
		x, y = x[:n], y[:n]
		var one, many ExactMoments
		var pair, pairs ExactCorrelation
		for i, v := range x {
			one.Add(v)
			pair.Add(v, y[i])
		}
		many.AddAll(x)
		pairs.AddAll(x, y)
		if many.n != one.n || many.sum.Float() != one.sum.Float() || many.squares.Float() != one.squares.Float() {
			t.Fatalf("%d, %g, %g at once, %d, %g, %g one by one", many.n, many.sum.Float(), many.squares.Float(), one.n, one.sum.Float(), one.squares.Float())
		}
		for i, s := range [][2]*Sum{{&pairs.x, &pair.x}, {&pairs.y, &pair.y}, {&pairs.xx, &pair.xx}, {&pairs.yy, &pair.yy}, {&pairs.xy, &pair.xy}} {
			if s[0].Float() != s[1].Float() || pairs.n != pair.n {
				t.Fatalf("sum %d of pairs: %g at once, %g one by one", i, s[0].Float(), s[1].Float())
			}
		}
	})
}
