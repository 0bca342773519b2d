package model

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/loadstone-hpc/loadstone/workload"
)

// SizeTable implements Sizes by a table of shares.
type SizeTable struct {
	Rows []SizeShare `opt:"shares" required:"true"` // by increasing size, at most MaxShares
}

// SizeShare is a size with its probability.
type SizeShare struct {
	Size  int64   `opt:"size" in:"[1,)" required:"true"`   // processors
	Share float64 `opt:"share" in:"(0,1]" required:"true"` // of all jobs
}

// MaxShares is the largest number of rows of a SizeTable.
const MaxShares = 1 << 16

func (s *SizeTable) check(processors int64) error {
	sum, last := 0.0, int64(0)
	for i, row := range s.Rows {
		if row.Size <= last || row.Size > processors {
			return workload.OptionFault(fmt.Sprintf("shares[%d].size", i), row.Size, "a whole number above the row before it, at most the %d processors of the machine", processors)
		}
		last, sum = row.Size, sum+row.Share
	}
	if len(s.Rows) > MaxShares || math.Abs(sum-1) > 1e-9 {
		return workload.OptionFault("shares", fmt.Sprintf("%d shares with sum %s", len(s.Rows), number(sum)), "at most %d with sum 1", MaxShares)
	}
	return nil
}

// scale returns the table unchanged: there is no rule for scaling it to another machine.
func (s *SizeTable) scale(_, _ int64) Sizes { return s }

// Shares implements Sizes.
func (s *SizeTable) Shares(int64) iter.Seq2[int64, float64] {
	return func(yield func(int64, float64) bool) {
		for _, row := range s.Rows {
			if !yield(row.Size, row.Share) {
				return
			}
		}
	}
}

// Drawer implements Sizes.
func (s *SizeTable) Drawer(int64) func(rng *rand.Rand) int64 {
	ends, sum := make([]float64, len(s.Rows)), 0.0
	for i, row := range s.Rows {
		sum += row.Share
		ends[i] = sum
	}
	return func(rng *rand.Rand) int64 {
		u := rng.Float64()
		return s.Rows[sort.Search(len(ends)-1, func(i int) bool { return ends[i] > u })].Size
	}
}
