package stats

import (
	"math"
)

// RelativeError bounds the error of a sketched value x: at most
// RelativeError |x|.
const RelativeError = 0.001

// sketch counts values in buckets. Each power of two is divided into 512 equal buckets, so that
// finding one takes no logarithm; the middle of a bucket is within a relative 1/1024 of all its
// values. Buckets are never merged: all positive normal numbers have a million of them, and the
// times of a log about 10,000.
type sketch struct {
	negative, positive buckets // of |x|
	zero               int     // number of values that are 0 or subnormal
	low, high          int     // numbers of values that are -Inf and +Inf
}

func (s *sketch) add(x float64, count int) {
	switch {
	case math.IsInf(x, -1):
		s.low += count
	case math.IsInf(x, 1):
		s.high += count
	case math.Abs(x) < 0x1p-1022:
		s.zero += count
	case x < 0:
		s.negative.add(bucketOf(-x), count)
	default:
		s.positive.add(bucketOf(x), count)
	}
}

func (s *sketch) total() int { return s.low + s.negative.total + s.zero + s.positive.total + s.high }

// at returns an estimate of the i-th smallest value, from 0.
func (s *sketch) at(i int) float64 {
	if i < s.low {
		return math.Inf(-1)
	}
	i -= s.low
	if i < s.negative.total {
		return -valueOf(s.negative.find(s.negative.total - 1 - i))
	}
	i -= s.negative.total
	if i < s.zero {
		return 0
	}
	i -= s.zero
	if i < s.positive.total {
		return valueOf(s.positive.find(i))
	}
	return math.Inf(1)
}

// atMost returns the number of values that do not exceed x, or are in the same bucket as x.
func (s *sketch) atMost(x float64) int {
	switch {
	case math.IsInf(x, 1):
		return s.total()
	case math.IsInf(x, -1) || math.IsNaN(x):
		return s.low
	case x <= -0x1p-1022:
		return s.low + s.negative.total - s.negative.below(bucketOf(-x))
	case x >= 0x1p-1022:
		return s.low + s.negative.total + s.zero + s.positive.below(bucketOf(x)+1)
	}
	return s.low + s.negative.total + s.zero
}

// bucketShift is the right shift that leaves the exponent of a float64 and the first nine bits of
// its fraction.
const bucketShift = 52 - 9

// bucketOf returns the bucket of a normal number above 0.
func bucketOf(x float64) int { return int(math.Float64bits(x) >> bucketShift) }

// smallestOf, valueOf and largestOf return the smallest number of a bucket, its middle and its
// largest number.
func smallestOf(b int) float64 { return math.Float64frombits(uint64(b) << bucketShift) }
func valueOf(b int) float64 {
	return math.Float64frombits(uint64(b)<<bucketShift | 1<<(bucketShift-1))
}
func largestOf(b int) float64 { return math.Float64frombits(uint64(b+1)<<bucketShift - 1) }

// buckets is a run of counters that grows at both ends.
type buckets struct {
	first  int // the bucket of counts[0]
	counts []int
	total  int
}

func (b *buckets) add(i, count int) {
	b.cover(i)
	b.counts[i-b.first] += count
	b.total += count
}

// cover makes room for bucket i.
func (b *buckets) cover(i int) {
	if len(b.counts) == 0 {
		b.first = i
	}
	if i < b.first {
		// Leave some room, so that descending values do not copy each time.
		lo := i - len(b.counts)/2
		grown := make([]int, b.first-lo+len(b.counts))
		copy(grown[b.first-lo:], b.counts)
		b.first, b.counts = lo, grown
	}
	if short := i - b.first + 1 - len(b.counts); short > 0 {
		b.counts = append(b.counts, make([]int, short)...)
	}
}

// below returns the number of values in the buckets before bucket i.
func (b *buckets) below(i int) (n int) {
	for _, count := range b.counts[:max(0, min(i-b.first, len(b.counts)))] {
		n += count
	}
	return n
}

// find returns the bucket of the i-th smallest value, from 0.
func (b *buckets) find(i int) int {
	for j, c := range b.counts {
		if i < c {
			return b.first + j
		}
		i -= c
	}
	return b.first + len(b.counts) - 1
}
