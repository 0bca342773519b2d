package stats

import (
	"math"
	"math/big"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// ExactMoments is like Moments but with sums in twice the precision of a float64: of a
// log's numbers, count, mean and variance are exact but for one rounding. The zero value is
// empty. A value that is not finite makes the results NaN or infinite.
type ExactMoments struct {
	n            int64
	sum, squares num.Sum
}

// Add adds a value.
func (m *ExactMoments) Add(x float64) {
	m.n++
	m.sum.Add(x)
	m.squares.AddProduct(x, x)
}

// AddCount adds a whole number up to 2^26 that occurs count times.
func (m *ExactMoments) AddCount(x, count float64) {
	m.n += int64(count)
	m.sum.AddProduct(x, count)
	m.squares.AddProduct(x*x, count)
}

// N returns how many values were added.
func (m *ExactMoments) N() int { return int(m.n) }

// Mean returns the mean; NaN without values.
func (m *ExactMoments) Mean() float64 { return m.sum.Value() / float64(m.n) }

// Variance returns the sample variance, with divisor n-1; NaN for fewer than two values.
func (m *ExactMoments) Variance() float64 {
	if m.n < 2 {
		return math.NaN()
	}
	n := float64(m.n)
	return spread(n, m.squares, m.sum, m.sum) / n / (n - 1)
}

// StdDev returns the square root of Variance.
func (m *ExactMoments) StdDev() float64 { return math.Sqrt(m.Variance()) }

// CV returns the coefficient of variation, StdDev/Mean.
func (m *ExactMoments) CV() float64 { return m.StdDev() / m.Mean() }

// ExactCorrelation is Correlation with such sums. The zero value is empty.
type ExactCorrelation struct {
	n          int64
	x, y       num.Sum
	xx, yy, xy num.Sum
}

// Add adds a pair.
func (c *ExactCorrelation) Add(x, y float64) {
	c.n++
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
	xx, yy := spread(n, c.xx, c.x, c.x), spread(n, c.yy, c.y, c.y)
	if c.n < 2 || xx == 0 || yy == 0 {
		return math.NaN()
	}
	return max(-1, min(1, spread(n, c.xy, c.x, c.y)/(math.Sqrt(xx)*math.Sqrt(yy))))
}

// spread returns n times a sum of products less the product of two sums, rounded
// once: n² times a covariance.
func spread(n float64, products, x, y num.Sum) float64 {
	for _, s := range []num.Sum{products, x, y} {
		if v := s.Value(); math.IsInf(v, 0) || math.IsNaN(v) {
			return math.NaN()
		}
	}
	a := bigFloat(n, 0)
	a.Mul(a, bigFloat(products.Parts()))
	b := bigFloat(x.Parts())
	d, _ := a.Sub(a, b.Mul(b, bigFloat(y.Parts()))).Float64()
	return d
}

// bigFloat returns a + b with room for the product of two such sums.
func bigFloat(a, b float64) *big.Float {
	sum := new(big.Float).SetPrec(500).SetFloat64(a)
	return sum.Add(sum, big.NewFloat(b))
}
