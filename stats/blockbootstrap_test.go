package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// autoregression draws n values of x[t] = phi x[t-1] + e[t], stationary.
func autoregression(rng *rand.Rand, n int, phi float64) []float64 {
	x := make([]float64, n)
	at := rng.NormFloat64() / math.Sqrt(1-phi*phi)
	for i := range x {
		at = phi*at + rng.NormFloat64()
		x[i] = at
	}
	return x
}

func TestBlockLengthAgreesWithReference(t *testing.T) {
	for i, r := range readTwoSampleReference(t).Blocks {
		got := AutomaticBlockLength(r.X)
		if got.N != len(r.X) || got.Lags != r.Lags || !near(got.Mean, r.Mean, 1e-9) || got.Capped != r.Capped || got.Persistent != r.Persistent {
			t.Errorf("series %d: %+v, want lags %d, mean %.12g, capped %v, persistent %v", i, got, r.Lags, r.Mean, r.Capped, r.Persistent)
		}
	}
}

// TestBlockLengthOfAutoregression: the best mean length of a known process is
// (G/g)^(2/3) n^(1/3). The ranks of a normal autoregression are correlated by
// r(k) = 6/pi asin(phi^k/2).
func TestBlockLengthOfAutoregression(t *testing.T) {
	const n, phi, series = 10000, 0.7, 15
	weighted, spectral := 0.0, 1.0
	for k := 1; k < 200; k++ {
		r := 6 / math.Pi * math.Asin(math.Pow(phi, float64(k))/2)
		weighted += 2 * float64(k) * r
		spectral += 2 * r
	}
	want := math.Cbrt(weighted*weighted/(spectral*spectral)) * math.Cbrt(n)
	var lengths []float64
	for seed := range uint64(series) {
		lengths = append(lengths, AutomaticBlockLength(autoregression(rand.New(rand.NewPCG(1, seed)), n, phi)).Mean)
	}
	slices.Sort(lengths)
	if got := lengths[series/2]; math.Abs(got-want) > 0.2*want {
		t.Errorf("the median of %d choices is %g, the best length is %g", series, got, want)
	}
}

func TestBlockLengthOfOddSeries(t *testing.T) {
	trend := make([]float64, 60)
	for i := range trend {
		trend[i] = float64(i)
	}
	for name, x := range map[string][]float64{
		"none": nil, "one": {4}, "nine": trend[:9], "equal": make([]float64, 50),
		"trend": trend, "turns": []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, "infinite": append([]float64{math.Inf(1), math.Inf(-1)}, trend...),
	} {
		b := AutomaticBlockLength(x)
		if !(b.Mean >= 1) || b.Mean > math.Max(1, math.Ceil(float64(len(x))/3)) || b.N != len(x) {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

// TestStationaryBlocks: runs are inside the series and of n values together,
// all places are drawn as often, and a run goes on to the next place, around
// the end, with chance 1 - 1/mean.
func TestStationaryBlocks(t *testing.T) {
	const n, resamples = 20, 4000
	for _, mean := range []float64{1, 1.5, 6, 300} {
		rng := rand.New(rand.NewPCG(3, 0))
		at := make([]float64, n)
		var follows, steps float64
		for range resamples {
			var drawn []int
			StationaryBlocks(rng, n, mean, func(from, to int) {
				if from < 0 || to > n || from >= to {
					t.Fatalf("run from %d to %d of %d", from, to, n)
				}
				for i := from; i < to; i++ {
					drawn = append(drawn, i)
				}
			})
			if len(drawn) != n {
				t.Fatalf("%d values, want %d", len(drawn), n)
			}
			for i, d := range drawn {
				at[d]++
				if i > 0 {
					steps++
					if d == (drawn[i-1]+1)%n {
						follows++
					}
				}
			}
		}
		// A new block also begins at the next place once in n.
		p := 1 - (1-1/float64(n))/mean
		if sd := math.Sqrt(p * (1 - p) / steps); math.Abs(follows/steps-p) > sigmas*sd {
			t.Errorf("mean %g: %g of the values follow the one before, want %g within %g", mean, follows/steps, p, sigmas*sd)
		}
		// Each resample begins anywhere: the shares have at most the spread
		// that blocks as long as the series would give.
		for i, c := range at {
			if sd := math.Sqrt(resamples * min(mean, n)); math.Abs(c-resamples) > sigmas*sd {
				t.Errorf("mean %g: place %d is drawn %g times, want %d within %g", mean, i, c, resamples, sigmas*sd)
			}
		}
	}
}

// sigmas leaves 1e-7 of a normal law on both sides together.
const sigmas = 5.33

func TestBlocksOfTheWholeSeries(t *testing.T) {
	// A block that is always the whole series, turned, changes no
	// distribution function: every replicate's distance is 0.
	rng := rand.New(rand.NewPCG(5, 5))
	x, y := autoregression(rng, 50, 0.3), autoregression(rng, 40, 0.3)
	ks, err := KolmogorovSmirnovBlocks(x, y, BlockBootstrap{Replicates: 19, BlockX: 1e300, BlockY: 1e300})
	if err != nil {
		t.Fatal(err)
	}
	if ks.PValue != 1.0/20 || ks.Method != BlockBootstrapped || ks.Replicates != 19 || ks.BlockX.Mean != 1e300 {
		t.Errorf("%+v, want p 1/20", ks)
	}
	same, err := KolmogorovSmirnovBlocks(x, x, BlockBootstrap{Replicates: 19, BlockX: 1e300, BlockY: 1e300})
	if err != nil || same.D != 0 || same.PValue != 1 {
		t.Errorf("a series with itself: %+v, %v; want D 0, p 1", same, err)
	}
}

// TestReplicateByHand: of x = (1, 1, 3, 5) the resample (3, 3, 3, 5), of
// y = (1, 3) the resample (1, 1). At 1 the centred functions are 0 - 1/2 and
// 1 - 1/2, a distance of 1; at 3 they are 3/4 - 3/4 and 1 - 1.
func TestReplicateByHand(t *testing.T) {
	p := newPair([]float64{1, 1, 3, 5}, []float64{1, 3})
	if d := p.distance([]int32{0, 3, 1}, []int32{2, 0, 0}); d != 1 {
		t.Errorf("distance is %g, want 1", d)
	}
	if d := p.distance([]int32{2, 1, 1}, []int32{1, 1, 0}); d != 0 {
		t.Errorf("distance of the series itself is %g, want 0", d)
	}
	if d := p.distance([]int32{1, 2, 1}, []int32{1, 1, 0}); d != 0.25 {
		t.Errorf("distance is %g, want 0.25", d)
	}
}

func TestBlocksOnAnyNumberOfWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	x, y := autoregression(rng, 300, 0.6), autoregression(rng, 200, 0.6)
	b := BlockBootstrap{Replicates: 60, Seed: 9, Workers: 1}
	want, err := KolmogorovSmirnovBlocks(x, y, b)
	if err != nil {
		t.Fatal(err)
	}
	if want.BlockX != AutomaticBlockLength(x) || want.BlockY != AutomaticBlockLength(y) || want.BlockX == want.BlockY {
		t.Errorf("blocks of %+v and %+v, want the automatic choice of each", want.BlockX, want.BlockY)
	}
	b.Workers = 5
	if got, err := KolmogorovSmirnovBlocks(x, y, b); err != nil || !cmp.Equal(want, got) {
		t.Errorf("5 workers: %+v, %v; want %+v", got, err, want)
	}
	b.Seed = 10
	if got, err := KolmogorovSmirnovBlocks(x, y, b); err != nil || got.PValue == want.PValue {
		t.Errorf("another seed gives the same p %g (%v)", got.PValue, err)
	}
}

func TestBlocksRefuse(t *testing.T) {
	x := autoregression(rand.New(rand.NewPCG(1, 1)), 40, 0)
	bad := slices.Clone(x)
	bad[7] = math.NaN()
	for _, tt := range []struct {
		x, y []float64
		b    BlockBootstrap
		err  string
	}{
		{x, x, BlockBootstrap{}, "at least 1 replicate"},
		{x, x[:29], BlockBootstrap{Replicates: 1}, "40 and 29 values"},
		{x, bad, BlockBootstrap{Replicates: 1}, "NaN"},
		{x, x, BlockBootstrap{Replicates: 1, BlockX: 0.5}, "0.5"},
		{x, x, BlockBootstrap{Replicates: 1, BlockY: math.NaN()}, "NaN"},
	} {
		if _, err := KolmogorovSmirnovBlocks(tt.x, tt.y, tt.b); err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("error is %v, want one with %q", err, tt.err)
		}
	}
}

// rejections tests pairs of autoregressions with one law at 5 % and counts
// how often the block bootstrap and the asymptotic p-value reject.
func rejections(t *testing.T, pairs, n, replicates int, phi float64) (blocks, asymptotic float64) {
	t.Helper()
	for seed := range uint64(pairs) {
		rng := rand.New(rand.NewPCG(7, seed))
		x, y := autoregression(rng, n, phi), autoregression(rng, n, phi)
		ks, err := KolmogorovSmirnovBlocks(x, y, BlockBootstrap{Replicates: replicates, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if ks.PValue <= 0.05 {
			blocks++
		}
		if KolmogorovSurvival(math.Sqrt(float64(n)/2)*ks.D) <= 0.05 {
			asymptotic++
		}
	}
	return blocks, asymptotic
}

// TestBlocksKeepTheirSize, roughly: bands of long_test.go are narrower. The
// asymptotic test of these series, whose neighbours are correlated by 0.8,
// rejects every other pair.
func TestBlocksKeepTheirSize(t *testing.T) {
	const pairs = 60
	blocks, asymptotic := rejections(t, pairs, 400, 59, 0.8)
	// 5 standard errors above a size of 0.1.
	if most := 0.1*pairs + 5*math.Sqrt(0.1*0.9*pairs); blocks > most || asymptotic <= most {
		t.Errorf("of %d pairs with one distribution %g are rejected by blocks and %g by the asymptotic p, want at most and more than %.1f", pairs, blocks, asymptotic, most)
	}
}

// TestBlocksFindAChange of one standard deviation.
func TestBlocksFindAChange(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	x, y := autoregression(rng, 1000, 0.5), autoregression(rng, 1000, 0.5)
	for i := range y {
		y[i] += 1 / math.Sqrt(1-0.25)
	}
	ks, err := KolmogorovSmirnovBlocks(x, y, BlockBootstrap{Replicates: 99})
	if err != nil || ks.PValue != 0.01 {
		t.Errorf("p is %g (%v), want 0.01: no replicate as far", ks.PValue, err)
	}
}

func BenchmarkBlocks(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := autoregression(rng, 200000, 0.5)
	for i := range x {
		x[i] = math.Floor(math.Exp(6 + x[i]))
	}
	for b.Loop() {
		if _, err := KolmogorovSmirnovBlocks(x[:100000], x[100000:], BlockBootstrap{Replicates: 50}); err != nil {
			b.Fatal(err)
		}
	}
}
