package stats

import (
	"cmp"
	"math"
	"slices"
)

// DefaultPairs is the default number of pairs that Spearman keeps: 16 MiB of memory.
const DefaultPairs = 1 << 20

// Spearman accumulates pairs for Spearman's rank correlation: Pearson's correlation of the ranks,
// with tied values sharing their mean rank. Up to Exact pairs it keeps all of them and is exact.
// Beyond that, it counts pairs by bucket, in 12 MB of memory, and values in the same bucket are
// tied. A pair with a NaN is not counted. The zero value is empty.
//
// Buckets are whole numbers up to 64, then 2 % wide up to 2^40. They are meant for times
// and sizes; negative values count as 0.
//
// The result does not depend on the order of the pairs.
type Spearman struct {
	Exact int // number of pairs to keep; 0 means DefaultPairs

	n    int
	x, y []float64
	grid []int // counts by bucket of x and of y; nil while exact
}

const (
	wholeBuckets = 64
	topBucketed  = 1 << 40
	// bucketWidth is the logarithm of the ratio of a bucket's bounds.
	bucketWidth = 0.02
)

// rankBuckets is the number of buckets: wholeBuckets, then those of width bucketWidth up to
// topBucketed (ln(2^40/64)/0.02 is 1178.4). Larger values are in the last.
const rankBuckets = wholeBuckets + 1178 + 1

// rankBucket returns the index of v's bucket, which does not decrease with v.
func rankBucket(v float64) int {
	switch {
	case v < wholeBuckets:
		return int(max(0, v))
	case v >= topBucketed:
		return rankBuckets - 1
	}
	return wholeBuckets + int(math.Log(v/wholeBuckets)/bucketWidth)
}

// Add adds a pair.
func (s *Spearman) Add(x, y float64) {
	if math.IsNaN(x) || math.IsNaN(y) {
		return
	}
	s.n++
	if s.grid != nil {
		s.grid[rankBucket(x)*rankBuckets+rankBucket(y)]++
		return
	}
	s.x, s.y = append(s.x, x), append(s.y, y)
	s.settle()
}

// settle switches to buckets when there are too many pairs to keep.
func (s *Spearman) settle() {
	if len(s.x) > cmp.Or(s.Exact, DefaultPairs) {
		s.toGrid()
	}
}

func (s *Spearman) toGrid() {
	if s.grid == nil {
		s.grid = make([]int, rankBuckets*rankBuckets)
	}
	s.fill()
}

// fill puts the pairs kept so far into their buckets.
func (s *Spearman) fill() {
	for i := range s.x {
		s.grid[rankBucket(s.x[i])*rankBuckets+rankBucket(s.y[i])]++
	}
	s.x, s.y = nil, nil
}

// N returns the number of pairs added.
func (s *Spearman) N() int { return s.n }

// R returns the rank correlation, in [-1, 1]; NaN for fewer than two pairs or if x or y is
// constant.
func (s *Spearman) R() float64 {
	var c Correlation
	if s.grid == nil {
		rx, ry := midranks(s.x), midranks(s.y)
		for i := range rx {
			c.Add(rx[i], ry[i])
		}
		return c.R()
	}
	byX, byY := make([]float64, rankBuckets), make([]float64, rankBuckets)
	for i, count := range s.grid {
		byX[i/rankBuckets] += float64(count)
		byY[i%rankBuckets] += float64(count)
	}
	rx, ry := countMidranks(byX), countMidranks(byY)
	for i, count := range s.grid {
		if count > 0 {
			c.Merge(Correlation{n: float64(count), meanX: rx[i/rankBuckets], meanY: ry[i%rankBuckets]})
		}
	}
	return c.R()
}

// midranks returns the rank of each value, from 1. Equal values have the mean of their ranks.
func midranks(v []float64) []float64 {
	values, counts := Distinct(v)
	ranks := countMidranks(counts)
	out := make([]float64, len(v))
	for i, x := range v {
		at, _ := slices.BinarySearch(values, x)
		out[i] = ranks[at]
	}
	return out
}

// countMidranks returns the mean rank of each of a list of distinct ascending values, from their
// counts.
func countMidranks(counts []float64) []float64 {
	ranks := make([]float64, len(counts))
	below := 0.0
	for i, c := range counts {
		ranks[i] = below + (c+1)/2
		below += c
	}
	return ranks
}
