package stats

import "math"

// ExactMoments is like Moments but with exact sums: count, mean and variance do not depend
// on the order of the values or on how parts were merged. The zero value is empty. A value
// that is not finite makes the results NaN or infinite.
type ExactMoments struct {
	n            int64
	sum, squares Sum
}

// Add adds a value.
func (m *ExactMoments) Add(x float64) {
	m.n++
	if n, ok := small(x); ok {
		m.sum.whole(n>>63, uint64(n))
		m.squares.product(n, n)
		return
	}
	m.sum.Add(x)
	m.squares.AddProduct(x, x)
}

// AddCount adds a whole number up to 2^26 that occurs count times.
func (m *ExactMoments) AddCount(x, count float64) {
	m.n += int64(count)
	m.sum.AddProduct(x, count)
	m.squares.AddProduct(x*x, count)
}

// Merge adds all values of o, which is not modified.
func (m *ExactMoments) Merge(o *ExactMoments) {
	m.n += o.n
	m.sum.Merge(&o.sum)
	m.squares.Merge(&o.squares)
}

// N returns how many values were added.
func (m *ExactMoments) N() int { return int(m.n) }

// Mean returns the mean; NaN without values.
func (m *ExactMoments) Mean() float64 { return m.sum.Float() / float64(m.n) }

// Variance returns the sample variance, with divisor n-1; NaN for fewer than two values.
func (m *ExactMoments) Variance() float64 {
	if m.n < 2 {
		return math.NaN()
	}
	n := float64(m.n)
	return spread(n, &m.squares, &m.sum, &m.sum) / n / (n - 1)
}

// StdDev returns the square root of Variance.
func (m *ExactMoments) StdDev() float64 { return math.Sqrt(m.Variance()) }

// CV returns the coefficient of variation, StdDev/Mean.
func (m *ExactMoments) CV() float64 { return m.StdDev() / m.Mean() }

// ExactCorrelation is Correlation of exact sums: Pearson's correlation of pairs,
// whatever their order and however they were merged. The zero value is empty.
type ExactCorrelation struct {
	n          int64
	x, y       Sum
	xx, yy, xy Sum
}

// Add adds a pair.
func (c *ExactCorrelation) Add(x, y float64) {
	c.n++
	if n, ok := small(x); ok {
		if m, ok := small(y); ok {
			c.x.whole(n>>63, uint64(n))
			c.y.whole(m>>63, uint64(m))
			c.xx.product(n, n)
			c.yy.product(m, m)
			c.xy.product(n, m)
			return
		}
	}
	c.x.Add(x)
	c.y.Add(y)
	c.xx.AddProduct(x, x)
	c.yy.AddProduct(y, y)
	c.xy.AddProduct(x, y)
}

// N returns how many pairs were added.
func (c *ExactCorrelation) N() int { return int(c.n) }

// R returns Pearson's correlation, in [-1, 1]; NaN of fewer than two pairs or where
// one of the two does not vary.
func (c *ExactCorrelation) R() float64 {
	n := float64(c.n)
	xx, yy := spread(n, &c.xx, &c.x, &c.x), spread(n, &c.yy, &c.y, &c.y)
	if c.n < 2 || xx == 0 || yy == 0 {
		return math.NaN()
	}
	return max(-1, min(1, spread(n, &c.xy, &c.x, &c.y)/(math.Sqrt(xx)*math.Sqrt(yy))))
}
