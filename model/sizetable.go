package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/workload"
)

// SizeTable is Sizes as a table of their shares.
type SizeTable struct {
	Shares []SizeShare `opt:"shares" required:"true"` // by increasing size, at most MaxShares
}

// SizeShare is a size with its probability.
type SizeShare struct {
	Size  int64   `opt:"size" in:"[1,)" required:"true"`   // processors
	Share float64 `opt:"share" in:"[0,1]" required:"true"` // of all jobs
}

// MaxShares is the largest number of Shares.
const MaxShares = 1 << 16

func (s *SizeTable) check(processors int64) error {
	sum, last := 0.0, int64(0)
	for i, row := range s.Shares {
		if row.Size <= last || row.Size > processors {
			return workload.OptionFault(fmt.Sprintf("shares[%d].size", i), row.Size, "a whole number above the row before it, at most the %d processors of the machine", processors)
		}
		last, sum = row.Size, sum+row.Share
	}
	if len(s.Shares) > MaxShares || math.Abs(sum-1) > 1e-9 {
		return workload.OptionFault("shares", fmt.Sprintf("%d shares with sum %s", len(s.Shares), number(sum)), "at most %d with sum 1", MaxShares)
	}
	return nil
}

// scale returns the table, which no rule moves to another machine.
func (s *SizeTable) scale(_, _ int64) (Sizes, int64) { return s, s.Shares[len(s.Shares)-1].Size }

// Probability implements Sizes.
func (s *SizeTable) Probability(n, _ int64) float64 {
	if i, ok := slices.BinarySearchFunc(s.Shares, n, func(row SizeShare, n int64) int { return int(row.Size - n) }); ok {
		return s.Shares[i].Share
	}
	return 0
}

// Mean implements Sizes.
func (s *SizeTable) Mean(_ int64, f func(size int64) float64) float64 {
	var sum num.Sum
	for _, row := range s.Shares {
		if row.Share > 0 {
			sum.Add(row.Share * f(row.Size))
		}
	}
	return sum.Value()
}

// Drawer implements Sizes.
func (s *SizeTable) Drawer(int64) func(rng *rand.Rand) int64 {
	ends, sum := make([]float64, len(s.Shares)), 0.0
	for i, row := range s.Shares {
		sum += row.Share
		ends[i] = sum
	}
	return func(rng *rand.Rand) int64 {
		u := rng.Float64()
		return s.Shares[sort.Search(len(ends)-1, func(i int) bool { return ends[i] > u })].Size
	}
}
