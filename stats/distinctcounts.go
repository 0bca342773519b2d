package stats

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// DefaultCounted is the default of DistinctCounts.Limit: about 10 MB of memory.
const DefaultCounted = 1 << 18

// DistinctCounts counts the distinct values of a stream, from which distances between
// distribution functions are computed. Up to Limit distinct values it is exact; beyond, it
// counts in logarithmic buckets of relative width 2 RelativeError, and Method says so. NaN
// and infinities are not counted; 0 and -0 are one value. The zero value is empty.
//
// The result depends only on the values, not on their order or on how parts were merged,
// provided that all parts have the same Limit.
type DistinctCounts struct {
	Limit int // number of distinct values to keep; 0 means DefaultCounted

	n        int
	min, max float64
	small    []int // counts of the whole numbers from 0 on
	rest     map[float64]int
	distinct int
	sketch   *sketch // nil while exact
}

// smallWhole bounds the whole numbers that are counted without a map.
const smallWhole = 1 << 14

// Add adds a value.
func (c *DistinctCounts) Add(x float64) { c.AddCount(x, 1) }

// AddCount adds a value that occurs count times, count being above 0.
func (c *DistinctCounts) AddCount(x float64, count int) {
	if math.IsNaN(x) || math.IsInf(x, 0) || count <= 0 {
		return
	}
	x += 0 // -0 + 0 is 0
	if c.n == 0 {
		c.min, c.max = x, x
	}
	c.min, c.max = min(c.min, x), max(c.max, x)
	c.n += count
	if c.sketch != nil {
		c.sketch.add(x, count)
		return
	}
	if x >= 0 && x < smallWhole && x == math.Trunc(x) {
		i := int(x)
		if i >= len(c.small) {
			c.small = append(c.small, make([]int, max(i+1, min(2*len(c.small), smallWhole))-len(c.small))...)
		}
		if c.small[i] == 0 {
			c.distinct++
		}
		c.small[i] += count
	} else {
		if c.rest == nil {
			c.rest = map[float64]int{}
		}
		n := c.rest[x] + count
		if c.rest[x] = n; n == count {
			c.distinct++
		}
	}
	if c.distinct > c.limit() {
		c.toSketch()
	}
}

func (c *DistinctCounts) limit() int {
	if c.Limit == 0 {
		return DefaultCounted
	}
	return c.Limit
}

// Merge adds all values of o, which is not modified.
func (c *DistinctCounts) Merge(o *DistinctCounts) {
	if o.n == 0 {
		return
	}
	low, high := o.min, o.max
	if c.n > 0 {
		low, high = min(low, c.min), max(high, c.max)
	}
	if o.sketch != nil {
		c.toSketch()
		c.sketch.merge(o.sketch)
		c.n += o.n
	} else {
		o.each(c.AddCount)
	}
	c.min, c.max = low, high
}

// each calls f for every value that is kept, in no order.
func (c *DistinctCounts) each(f func(x float64, count int)) {
	for i, n := range c.small {
		if n > 0 {
			f(float64(i), n)
		}
	}
	for x, n := range c.rest {
		f(x, n)
	}
}

func (c *DistinctCounts) toSketch() {
	if c.sketch != nil {
		return
	}
	s := &sketch{}
	c.each(s.add)
	c.sketch, c.small, c.rest = s, nil, nil
}

// N returns how many values were added.
func (c *DistinctCounts) N() int { return c.n }

// Exact reports whether every distinct value is kept.
func (c *DistinctCounts) Exact() bool { return c.sketch == nil }

// Method returns how values are kept: "exact", or "buckets of 0.2 %".
func (c *DistinctCounts) Method() string {
	if c.Exact() {
		return "exact"
	}
	return fmt.Sprintf("buckets of %g %%", 200*RelativeError)
}

// Values returns the distinct values, ascending, and how often each occurs.
// Beyond Limit they are the upper ends of the buckets, so that the distribution
// function is exact at every value returned; a value that was added is at most
// 0.2 % of itself below the one returned. Subnormal numbers, which are nearer to 0 than
// 2^-1022, count as 0 there.
func (c *DistinctCounts) Values() (values, counts []float64) {
	if c.sketch != nil {
		return c.sketch.values()
	}
	values = make([]float64, 0, c.distinct)
	for i, n := range c.small {
		if n > 0 {
			values = append(values, float64(i))
		}
	}
	if len(c.rest) > 0 {
		values = slices.AppendSeq(values, maps.Keys(c.rest))
		slices.Sort(values)
	}
	counts = make([]float64, len(values))
	for i, x := range values {
		n := c.rest[x]
		if n == 0 {
			n = c.small[int(x)]
		}
		counts[i] = float64(n)
	}
	return values, counts
}

// Aligned returns the values and counts of x and y in comparable form. If one of them uses
// buckets, both are returned in buckets, so that an exact value and the end of its bucket
// do not count as different values.
func Aligned(x, y *DistinctCounts) (xValues, xCounts, yValues, yCounts []float64) {
	if x.Exact() != y.Exact() {
		x, y = x.sketched(), y.sketched()
	}
	xValues, xCounts = x.Values()
	yValues, yCounts = y.Values()
	return xValues, xCounts, yValues, yCounts
}

// sketched is c in buckets, c itself being left as it is.
func (c *DistinctCounts) sketched() *DistinctCounts {
	if c.sketch != nil {
		return c
	}
	s := &DistinctCounts{n: c.n, min: c.min, max: c.max, sketch: &sketch{}}
	c.each(s.sketch.add)
	return s
}

// Quantile returns the p-quantile by linear interpolation between order
// statistics, as the function Quantile defines it, of the values that Values
// returns; NaN of none. The ends are always exact.
func (c *DistinctCounts) Quantile(p float64) float64 { return c.Quantiles(p)[0] }

// Quantiles is Quantile for several p, at the cost of one.
func (c *DistinctCounts) Quantiles(ps ...float64) []float64 {
	values, counts := c.Values()
	upTo := floats.CumSum(make([]float64, len(counts)), counts)
	out := make([]float64, len(ps))
	for i, p := range ps {
		out[i] = interpolate(c.n, p, func(k int) float64 {
			switch k {
			case 0:
				return c.min
			case c.n - 1:
				return c.max
			}
			// The k-th smallest from 0: the first value with more than k up to it.
			at, _ := slices.BinarySearch(upTo, float64(k+1))
			return max(c.min, min(c.max, values[at]))
		})
	}
	return out
}

// values are the buckets' upper ends with their counts; s has no infinities.
func (s *sketch) values() (values, counts []float64) {
	add := func(x float64, n int) {
		if n > 0 {
			values, counts = append(values, x), append(counts, float64(n))
		}
	}
	for i, n := range slices.Backward(s.negative.counts) {
		add(-smallestOf(s.negative.first+i), n)
	}
	add(0, s.zero)
	for i, n := range s.positive.counts {
		add(largestOf(s.positive.first+i), n)
	}
	return values, counts
}
