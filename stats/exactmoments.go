package stats

import (
	"math"
	"math/big"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// ExactMoments is like Moments but with sums in twice the precision of a float64: for the numbers
// in a log, count, mean and variance are exact except for one rounding. The zero value is empty.
// A value that is not finite makes the results NaN or infinite.
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

// N returns the number of values added.
func (m *ExactMoments) N() int { return int(m.n) }

// Mean returns the mean; NaN without values.
func (m *ExactMoments) Mean() float64 { return m.sum.Value() / float64(m.n) }

// Variance returns the sample variance, with divisor n-1; NaN for fewer than two values.
func (m *ExactMoments) Variance() float64 {
	if m.n < 2 {
		return math.NaN()
	}
	n := float64(m.n)
	return spread(n, m.squares, m.sum) / n / (n - 1)
}

// StdDev returns the square root of Variance.
func (m *ExactMoments) StdDev() float64 { return math.Sqrt(m.Variance()) }

// CV returns the coefficient of variation, StdDev/Mean.
func (m *ExactMoments) CV() float64 { return m.StdDev() / m.Mean() }

// spread returns n times a sum of squares less the square of a sum, rounded once: n² times a
// variance.
func spread(n float64, squares, sum num.Sum) float64 {
	for _, s := range []num.Sum{squares, sum} {
		if v := s.Value(); math.IsInf(v, 0) || math.IsNaN(v) {
			return math.NaN()
		}
	}
	a, b := bigFloat(n, 0), bigFloat(sum.Parts())
	a.Mul(a, bigFloat(squares.Parts()))
	d, _ := a.Sub(a, b.Mul(b, b)).Float64()
	return d
}

// bigFloat returns a + b with enough precision for the product of two such sums.
func bigFloat(a, b float64) *big.Float {
	sum := new(big.Float).SetPrec(500).SetFloat64(a)
	return sum.Add(sum, big.NewFloat(b))
}
