package stats

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// DefaultExact is the default number of values that Quantiles keeps: 8 MiB of memory.
const DefaultExact = 1 << 20

// Quantiles accumulates values for computing quantiles. Up to Exact values it keeps all of
// them and is exact; beyond, it counts in logarithmic buckets, quantiles have a relative
// error of at most RelativeError, and Method says so. NaN is not counted. The zero value is
// empty.
//
// The result depends only on the values, not on their order or on how parts were merged,
// provided that all parts have the same Exact. Quantile sorts in place, so concurrent use
// is not safe.
type Quantiles struct {
	Exact int // number of values to keep; 0 means DefaultExact

	n        int
	min, max float64
	values   []float64
	sorted   bool
	sketch   *sketch // nil while exact
}

func (q *Quantiles) limit() int {
	if q.Exact == 0 {
		return DefaultExact
	}
	return q.Exact
}

// Add adds a value.
func (q *Quantiles) Add(x float64) {
	if math.IsNaN(x) {
		return
	}
	if x == 0 {
		x = 0 // not -0, or the order of the values would decide which zero is the result
	}
	if q.n == 0 || x < q.min {
		q.min = x
	}
	if q.n == 0 || x > q.max {
		q.max = x
	}
	q.n++
	if q.sketch != nil {
		q.sketch.add(x, 1)
		return
	}
	q.values = appendDoubling(q.values, x)
	q.sorted = false
	q.settle()
}

// appendDoubling is append that doubles the capacity. The built-in one lets long slices
// grow by a quarter, so that a million values are copied four times.
func appendDoubling(values []float64, x float64) []float64 {
	if len(values) == cap(values) {
		values = slices.Grow(values, max(64, len(values)))
	}
	return append(values, x)
}

// Merge adds all values of o, which is not modified.
func (q *Quantiles) Merge(o *Quantiles) {
	if o.n == 0 {
		return
	}
	if q.n == 0 {
		q.min, q.max = o.min, o.max
	}
	q.min, q.max = min(q.min, o.min), max(q.max, o.max)
	q.n += o.n
	switch {
	case o.sketch != nil:
		q.toSketch()
		q.sketch.merge(o.sketch)
	case q.sketch != nil:
		for _, x := range o.values {
			q.sketch.add(x, 1)
		}
	default:
		q.values = append(q.values, o.values...)
		q.sorted = false
		q.settle()
	}
}

// settle switches to the sketch when there are too many values to keep.
func (q *Quantiles) settle() {
	if len(q.values) > q.limit() {
		q.toSketch()
	}
}

func (q *Quantiles) toSketch() {
	if q.sketch != nil {
		return
	}
	q.sketch = &sketch{}
	for _, x := range q.values {
		q.sketch.add(x, 1)
	}
	q.values = nil
}

// N returns how many values were added.
func (q *Quantiles) N() int { return q.n }

// Min returns the smallest value, which is always exact; NaN without values.
func (q *Quantiles) Min() float64 { return q.orNaN(q.min) }

// Max returns the largest value, which is always exact; NaN without values.
func (q *Quantiles) Max() float64 { return q.orNaN(q.max) }

func (q *Quantiles) orNaN(x float64) float64 {
	if q.n == 0 {
		return math.NaN()
	}
	return x
}

// Quantile returns the p-quantile, as the function Quantile defines it, or
// the sketch's estimate of it; NaN of no values or for p outside [0, 1].
// The ends, p = 0 and 1, are always exact.
func (q *Quantiles) Quantile(p float64) float64 {
	switch {
	case q.sketch == nil:
		q.sort()
		return Quantile(q.values, p)
	case p == 0:
		return q.min
	case p == 1:
		return q.max
	}
	return interpolate(q.n, p, func(i int) float64 { return max(q.min, min(q.max, q.sketch.at(i))) })
}

// AtMost returns the share of the values that do not exceed x; NaN if there are none. While
// not exact, it may count values that exceed x by up to 2 RelativeError.
func (q *Quantiles) AtMost(x float64) float64 {
	if q.sketch != nil {
		return float64(q.sketch.atMost(x)) / float64(q.n)
	}
	q.sort()
	return float64(sort.Search(len(q.values), func(i int) bool { return q.values[i] > x })) / float64(q.n)
}

func (q *Quantiles) sort() {
	if !q.sorted {
		slices.Sort(q.values)
		q.sorted = true
	}
}

// Method returns how quantiles are computed: "exact", or "sketch, relative error
// 0.001".
func (q *Quantiles) Method() string {
	if q.sketch == nil {
		return "exact"
	}
	return fmt.Sprintf("sketch, relative error %g", RelativeError)
}
