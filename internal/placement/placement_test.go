package placement

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// bins is a problem of distributing work evenly over bins: the cost is the sum of squares.
type bins struct {
	sum  []float64
	work []float64 // by member
}

func (b *bins) put(member, at int, sign float64) float64 {
	w := sign * b.work[member]
	grows := w * (w + 2*b.sum[at])
	b.sum[at] += w
	return grows
}

// search tries the places in the given order, repeatedly.
func (b *bins) search(passes int, places ...int) Search[int] {
	next := -1
	return Search[int]{
		Weights: b.work, Passes: passes, Put: b.put,
		Tries: func(int) int { return 1 + len(places) },
		Draw:  func(int) int { next++; return places[next%len(places)] },
	}
}

// Members with works 8, 4, 2 and 1 start in one of two bins. By hand: 8 moves to the empty bin, and
// the others stay, since moving any of them would increase the sum of squares: the bins have 8 and
// 7. The jitter of the weights, from a half to one, may make 4 move first; the second pass corrects
// that.
func TestImproveLevelsTwoBins(t *testing.T) {
	for seed := range uint64(100) {
		b := &bins{sum: []float64{0, 0}, work: []float64{8, 4, 2, 1}}
		at := []int{0, 0, 0, 0}
		b.search(2, 0, 1).Improve(at, rand.New(rand.NewPCG(seed, 1)))
		low, high := slices.Min(b.sum), slices.Max(b.sum)
		if low != 7 || high != 8 {
			t.Errorf("seed %d: bins of %v, want 8 and 7", seed, b.sum)
		}
		again := []float64{0, 0}
		for i, place := range at {
			again[place] += b.work[i]
		}
		if !slices.Equal(again, b.sum) {
			t.Errorf("seed %d: the places add up to %v, and the bins have %v", seed, again, b.sum)
		}
	}
}

// A search by Cost finds the same places as one by Put.
func TestImproveByCost(t *testing.T) {
	for seed := range uint64(50) {
		var found [2][]int
		for k := range found {
			b := &bins{sum: []float64{0, 0, 0}, work: []float64{8, 4, 2, 1, 7, 3}}
			s := b.search(2, 2, 0, 1)
			if k == 1 {
				s.Cost = func(member, at int) float64 { return b.work[member] * (b.work[member] + 2*b.sum[at]) }
			}
			found[k] = []int{0, 0, 0, 1, 1, 1}
			s.Improve(found[k], rand.New(rand.NewPCG(seed, 1)))
		}
		if !slices.Equal(found[0], found[1]) {
			t.Errorf("seed %d: %v by Put, %v by Cost", seed, found[0], found[1])
		}
	}
}
