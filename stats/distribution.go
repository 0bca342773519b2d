package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// DefaultDistinctValues is the default of Distribution.Limit: at most about 20 MB of memory.
const DefaultDistinctValues = 1 << 18

// Distribution accumulates values for quantiles and distances between distribution functions. Up
// to Limit distinct values it keeps them with their counts and is exact. Beyond that, it counts
// in logarithmic buckets: quantiles have a relative error of at most RelativeError, and a
// distribution function may count values that exceed its argument by up to twice that (see
// Method). NaN is not counted; 0 and -0 are one value. The zero value is empty.
//
// The result depends only on the values, not on their order. Reading sorts in place, so
// concurrent use is not safe, except for reading after Settle.
type Distribution struct {
	Limit int // distinct values to keep; 0 means DefaultDistinctValues

	n        int
	min, max float64
	values   []counted // ascending and distinct
	pending  []float64 // not yet among the values
	sketch   *sketch   // nil while exact
}

// counted is a value and the number of its occurrences.
type counted struct {
	x float64
	n int
}

// Add adds a value.
func (d *Distribution) Add(x float64) {
	if math.IsNaN(x) {
		return
	}
	x += 0 // -0 + 0 is 0
	if d.n == 0 {
		d.min, d.max = x, x
	}
	d.min, d.max = min(d.min, x), max(d.max, x)
	d.n++
	if d.sketch != nil {
		d.sketch.add(x, 1)
		return
	}
	d.pending = append(d.pending, x)
	if len(d.pending) > max(d.limit(), len(d.values)) {
		d.Settle()
	}
}

// Settle merges recently added values into the sorted ones. After it, and until the next Add,
// several goroutines may read d.
func (d *Distribution) Settle() {
	if len(d.pending) == 0 {
		return
	}
	slices.Sort(d.pending)
	var added []counted
	for i, x := range d.pending {
		if i == 0 || x != d.pending[i-1] {
			added = append(added, counted{x: x})
		}
		added[len(added)-1].n++
	}
	d.pending = d.pending[:0]
	d.include(added)
}

// include merges distinct ascending values into d, and switches to buckets if there are too many
// values to keep.
func (d *Distribution) include(added []counted) {
	merged := make([]counted, 0, len(d.values)+len(added))
	for _, c := range d.values {
		for len(added) > 0 && added[0].x < c.x {
			merged, added = append(merged, added[0]), added[1:]
		}
		if len(added) > 0 && added[0].x == c.x {
			c.n, added = c.n+added[0].n, added[1:]
		}
		merged = append(merged, c)
	}
	d.values = append(merged, added...)
	if len(d.values) > d.limit() {
		d.Bucket()
	}
}

func (d *Distribution) limit() int { return cmp.Or(d.Limit, DefaultDistinctValues) }

// Bucket switches to buckets, even if there are few values.
func (d *Distribution) Bucket() {
	if d.sketch != nil {
		return
	}
	d.sketch = &sketch{}
	for _, x := range d.pending {
		d.sketch.add(x, 1)
	}
	for _, c := range d.values {
		d.sketch.add(c.x, c.n)
	}
	d.values, d.pending = nil, nil
}

// N returns the number of values added.
func (d *Distribution) N() int { return d.n }

// Min returns the smallest value, which is always exact; NaN without values.
func (d *Distribution) Min() float64 { return d.Quantile(0) }

// Max returns the largest value, which is always exact; NaN without values.
func (d *Distribution) Max() float64 { return d.Quantile(1) }

// Exact reports whether every distinct value is kept.
func (d *Distribution) Exact() bool {
	d.Settle()
	return d.sketch == nil
}

// Method describes how values are kept: "exact", or "sketch, relative error 0.001".
func (d *Distribution) Method() string {
	if d.Exact() {
		return "exact"
	}
	return fmt.Sprintf("sketch, relative error %g", RelativeError)
}

// Quantile returns the p-quantile as the function Quantile defines it, or an estimate from the
// buckets. It is NaN without values or for p outside [0, 1]. For p = 0 and p = 1 it is always
// exact.
func (d *Distribution) Quantile(p float64) float64 {
	exact := d.Exact()
	return interpolate(d.n, p, func(k int) float64 {
		switch {
		case k == 0:
			return d.min
		case k == d.n-1:
			return d.max
		case !exact:
			return max(d.min, min(d.max, d.sketch.at(k)))
		}
		i := 0
		for ; k >= d.values[i].n; i++ {
			k -= d.values[i].n
		}
		return d.values[i].x
	})
}

// AtMost returns the share of the values that do not exceed x; NaN if there are none. While
// not exact, it may count values that exceed x by up to 2 RelativeError.
func (d *Distribution) AtMost(x float64) float64 {
	n := 0
	if !d.Exact() {
		n = d.sketch.atMost(x)
	} else {
		for i := 0; i < len(d.values) && d.values[i].x <= x; i++ {
			n += d.values[i].n
		}
	}
	return float64(n) / float64(d.n)
}

// Values returns the distinct values, ascending, with their counts. Beyond Limit it returns the
// upper ends of the buckets, where the distribution function is exact; they exceed the values of
// the bucket by at most 0.2 %. Subnormal numbers, which are closer to 0 than 2^-1022, then count
// as 0.
func (d *Distribution) Values() (values, counts []float64) {
	if !d.Exact() {
		return d.sketch.values()
	}
	for _, c := range d.values {
		values, counts = append(values, c.x), append(counts, float64(c.n))
	}
	return values, counts
}

// Aligned returns the values and counts of x and y in comparable form. If one of them uses
// buckets, both are returned in buckets, so that an exact value and the end of its bucket
// do not count as different values.
func Aligned(x, y *Distribution) (xValues, xCounts, yValues, yCounts []float64) {
	if x.Exact() != y.Exact() {
		x, y = x.bucketed(), y.bucketed()
	}
	xValues, xCounts = x.Values()
	yValues, yCounts = y.Values()
	return xValues, xCounts, yValues, yCounts
}

// bucketed returns a copy that uses buckets.
func (d *Distribution) bucketed() *Distribution {
	s := *d
	s.Bucket()
	return &s
}

// values returns the buckets' upper ends with their counts. It expects that s has no infinities.
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
