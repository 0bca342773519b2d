package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// SizeTable contains every size with its probability, by increasing size.
type SizeTable []SizeShare

var _ Sizes = SizeTable{}

// SizeShare is a size with its probability.
type SizeShare struct {
	Size  int64   `json:"size"`  // processors
	Share float64 `json:"share"` // of all jobs, 0 to 1
}

// MaxShares is the largest number of rows of a SizeTable.
const MaxShares = 1 << 16

func (s SizeTable) visit(f *form, processors int64) Sizes {
	objects(f, "shares", required, MaxShares, (*[]SizeShare)(&s), func(_ int, row *SizeShare, f *form) {
		f.whole("size", required, &row.Size)
		f.number("share", &row.Share, 0, 1)
	})
	f.check(func() error { return s.check(f.at("shares"), processors) })
	return s
}

func (s SizeTable) check(path string, processors int64) error {
	if len(s) == 0 || len(s) > MaxShares {
		return &FieldError{Path: path, Saw: fmt.Sprintf("%d rows", len(s)), Want: fmt.Sprintf("1 to %d", MaxShares)}
	}
	sum, last := 0.0, int64(0)
	for i, row := range s {
		if row.Size <= last || row.Size > processors {
			return &FieldError{Path: fmt.Sprintf("%s[%d].size", path, i), Saw: strconv.FormatInt(row.Size, 10), Want: fmt.Sprintf("a whole number above the row before it, at most the %d processors of the machine", processors)}
		}
		last, sum = row.Size, sum+row.Share
	}
	if math.Abs(sum-1) > 1e-9 {
		return &FieldError{Path: path, Saw: "shares with sum " + number(sum), Want: "shares with sum 1"}
	}
	return nil
}

// Probability returns the share of size n, 0 if it is not in the table.
func (s SizeTable) Probability(n, processors int64) float64 {
	i, ok := slices.BinarySearchFunc(s, n, func(row SizeShare, n int64) int { return int(row.Size - n) })
	if !ok || n > processors {
		return 0
	}
	return s[i].Share
}

// AtMost returns the sum of the shares of the rows up to a size.
func (s SizeTable) AtMost(n, processors int64) float64 {
	return s.Mean(min(n, processors), func(int64) float64 { return 1 })
}

// Mean returns the mean of f over the sizes: the sum of f times the shares.
func (s SizeTable) Mean(processors int64, f func(size int64) float64) float64 {
	var sum num.Sum
	for _, row := range s {
		if row.Size <= processors && row.Share > 0 {
			sum.Add(row.Share * f(row.Size))
		}
	}
	return sum.Value()
}

// scaled leaves the table as it is.
func (s SizeTable) scaled(_, _ int64) (Sizes, int64, string) {
	least := int64(0)
	if len(s) > 0 {
		least = s[len(s)-1].Size
	}
	return s, least, "has a table of sizes, which no rule moves to another machine, and the largest does not fit"
}
