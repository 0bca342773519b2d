package stats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/loadstone-hpc/loadstone/internal/par"
)

// BlockBootstrapped is the Method of a p-value from a block bootstrap.
const BlockBootstrapped = "block-bootstrap"

// BlockBootstrap are the options for resampling dependent series with the stationary
// bootstrap of Politis and Romano (1994). It joins blocks that start at random places, wrap
// around the end of the series, and have geometrically distributed lengths.
type BlockBootstrap struct {
	// Replicates is how many pairs of series are drawn, at least 1. The
	// smallest p-value that can come out is 1/(Replicates+1).
	Replicates int
	// BlockX and BlockY are the mean block lengths, in values; 0 means AutomaticBlockLength
	// of the series. 1 gives the ordinary bootstrap for independent values.
	BlockX, BlockY float64
	// Seed and a replicate's number give its random source.
	Seed uint64
	// Workers is the number of goroutines; 0 means one per core. It does not change the
	// result.
	Workers int
}

// StationaryBlocks draws a resample of a series of n values as blocks of consecutive values
// from <= i < to, n values in total, and calls run for each. mean is the mean block length,
// at least 1. A block that reaches the end of the series continues at its beginning with
// another call.
func StationaryBlocks(rng *rand.Rand, n int, mean float64, run func(from, to int)) {
	stay := math.Log1p(-1 / max(1, mean)) // ln of the chance to go on; -Inf for 1
	for left := n; left > 0; {
		length := left
		if l := 1 + math.Floor(math.Log(1-rng.Float64())/stay); l < float64(left) {
			length = int(l)
		}
		left -= length
		for from := rng.IntN(n); length > 0; from = 0 {
			to := min(n, from+length)
			run(from, to)
			length -= to - from
		}
	}
}

// fewestResampled is how many values a series needs for its resamples to show
// how it varies: one value resampled is always itself.
const fewestResampled = 30

// KolmogorovSmirnovBlocks tests whether two dependent series, in order of time, have the
// same distribution of values. D is that of KolmogorovSmirnovTwoSample. Each replicate
// resamples both series in blocks and computes the largest distance between F* - F and G* -
// G, where F and G are the distribution functions of the series and F* and G* those of the
// resamples: how large D becomes by chance if the distributions are equal. The p-value is
// (1 + the number of replicates >= D) / (1 + Replicates).
//
// Unlike the asymptotic p-value, this does not assume that consecutive values are
// independent: a week of one user's jobs does not count as a thousand independent
// observations. It assumes that the two series are independent of each other and
// stationary. It is an error if a series has fewer than 30 values or a NaN, or if an option
// is out of range. The result does not depend on the number of cores. Memory grows with the
// number of values, time with values times replicates.
//
// Bühlmann (1994), "Blockwise bootstrapped empirical process for stationary sequences",
// shows that resampling in blocks gives the distribution of F* - F for a dependent series.
func KolmogorovSmirnovBlocks(x, y []float64, b BlockBootstrap) (TwoSampleKS, error) {
	if b.Replicates < 1 {
		return TwoSampleKS{}, errors.New("stats: block bootstrap needs at least 1 replicate")
	}
	for _, length := range []float64{b.BlockX, b.BlockY} {
		if length != 0 && !(length >= 1) {
			return TwoSampleKS{}, fmt.Errorf("stats: mean length of blocks is %g, want at least 1, or 0 for the automatic choice", length)
		}
	}
	if len(x) < fewestResampled || len(y) < fewestResampled {
		return TwoSampleKS{}, fmt.Errorf("stats: block bootstrap of %d and %d values, want at least %d of each", len(x), len(y), fewestResampled)
	}
	p := newPair(x, y)
	if p == nil {
		return TwoSampleKS{}, errors.New("stats: block bootstrap of a series with NaN, want only numbers")
	}
	ks, err := KolmogorovSmirnovTwoSample(p.xValues, p.xCounts, p.yValues, p.yCounts)
	if err != nil {
		return TwoSampleKS{}, err
	}
	ks.BlockX, ks.BlockY = BlockLength{N: len(x), Mean: b.BlockX}, BlockLength{N: len(y), Mean: b.BlockY}
	if b.BlockX == 0 {
		ks.BlockX = AutomaticBlockLength(x)
	}
	if b.BlockY == 0 {
		ks.BlockY = AutomaticBlockLength(y)
	}
	distances := make([]float64, b.Replicates)
	par.Each(b.Workers, b.Replicates, func(i int) {
		rng := rand.New(rand.NewPCG(b.Seed, uint64(i)))
		distances[i] = p.replicate(rng, ks.BlockX.Mean, ks.BlockY.Mean)
	})
	larger := 0
	for _, d := range distances {
		if d >= ks.D {
			larger++
		}
	}
	ks.PValue = float64(1+larger) / float64(1+b.Replicates)
	ks.Method, ks.Replicates, ks.Seed = BlockBootstrapped, b.Replicates, b.Seed
	return ks, nil
}

// pair is two series as places among the distinct values of both.
type pair struct {
	x, y                               []int32
	xUpTo, yUpTo                       []float64 // how many are at or below each place
	xValues, xCounts, yValues, yCounts []float64
}

// newPair returns nil if a series has a NaN.
func newPair(x, y []float64) *pair {
	p := &pair{}
	p.xValues, p.xCounts = Distinct(x)
	p.yValues, p.yCounts = Distinct(y)
	pooled, _ := Distinct(append(append([]float64(nil), p.xValues...), p.yValues...))
	if floats.Sum(p.xCounts) != float64(len(x)) || floats.Sum(p.yCounts) != float64(len(y)) {
		return nil
	}
	p.x, p.y = places(x, pooled), places(y, pooled)
	p.xUpTo, p.yUpTo = upTo(p.x, len(pooled)), upTo(p.y, len(pooled))
	return p
}

// places returns where each of x stands in sorted, which has them all.
func places(x, sorted []float64) []int32 {
	at := make(map[float64]int32, len(sorted))
	for i, v := range sorted {
		at[v] = int32(i)
	}
	out := make([]int32, len(x))
	for i, v := range x {
		out[i] = at[v]
	}
	return out
}

// upTo counts the places at or below each of size places.
func upTo(place []int32, size int) []float64 {
	out := make([]float64, size)
	for _, p := range place {
		out[p]++
	}
	for i := 1; i < size; i++ {
		out[i] += out[i-1]
	}
	return out
}

// replicate resamples both series and returns the largest distance of the
// centred distribution functions.
func (p *pair) replicate(rng *rand.Rand, blockX, blockY float64) float64 {
	return p.distance(recount(rng, p.x, len(p.xUpTo), blockX), recount(rng, p.y, len(p.yUpTo), blockY))
}

// distance is the largest |(F*-F) - (G*-G)|, of resamples counted by place.
func (p *pair) distance(x, y []int32) float64 {
	n, m := float64(len(p.x)), float64(len(p.y))
	var d, sumX, sumY float64
	for i := range x {
		sumX += float64(x[i])
		sumY += float64(y[i])
		d = max(d, math.Abs((sumX-p.xUpTo[i])/n-(sumY-p.yUpTo[i])/m))
	}
	return d
}

// recount resamples a series and counts its places.
func recount(rng *rand.Rand, place []int32, size int, block float64) []int32 {
	counts := make([]int32, size)
	StationaryBlocks(rng, len(place), block, func(from, to int) {
		for _, p := range place[from:to] {
			counts[p]++
		}
	})
	return counts
}
