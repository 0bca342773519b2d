package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// SizeShare is a size with its probability.
type SizeShare struct {
	Size  int64   `json:"size"`  // processors
	Share float64 `json:"share"` // of all jobs, 0 to 1
}

// MaxShares is the largest number of rows of Sizes.Shares.
const MaxShares = 1 << 16

// share is a size's row, 0 where there is none.
func (s Sizes) share(n int64) float64 {
	i, ok := slices.BinarySearchFunc(s.Shares, n, func(row SizeShare, n int64) int { return int(row.Size - n) })
	if !ok {
		return 0
	}
	return s.Shares[i].Share
}

// LargestShare is the largest size of Shares, 0 where there are none.
func (s Sizes) LargestShare() int64 {
	if len(s.Shares) == 0 {
		return 0
	}
	return s.Shares[len(s.Shares)-1].Size
}

func (r *SizeShare) visit(f *form) {
	f.whole("size", required, &r.Size)
	f.number("share", &r.Share, 0, 1)
}

func (s Sizes) checkShares(path string, processors int64) error {
	if len(s.Shares) == 0 || len(s.Shares) > MaxShares {
		return &FieldError{Path: path, Saw: fmt.Sprintf("%d rows", len(s.Shares)), Want: fmt.Sprintf("1 to %d", MaxShares)}
	}
	sum, last := 0.0, int64(0)
	for i, row := range s.Shares {
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

// harmonicSizes are sizes from 1 to processors with probabilities that fall
// with the size to the power of order.
func harmonicSizes(processors int64, order float64) Sizes {
	var s Sizes
	sum := 0.0
	for n := int64(1); n <= processors; n++ {
		p := math.Pow(float64(n), -order)
		s.Shares = append(s.Shares, SizeShare{n, p})
		sum += p
	}
	for i := range s.Shares {
		s.Shares[i].Share /= sum
	}
	return s
}
