package stats

import "math"

// Moments accumulates the count, mean and variance of a stream by Welford's updates, which
// avoid cancellation. The zero value is empty. A NaN makes the moments NaN, so leave out
// unknown values.
type Moments struct {
	n    float64
	mean float64
	m2   float64 // sum of squared deviations from the mean
}

// Add adds a value.
func (m *Moments) Add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / m.n
	m.m2 += d * (x - m.mean)
}

// AddCount adds a value that occurs count times.
func (m *Moments) AddCount(x, count float64) {
	m.Merge(Moments{n: count, mean: x})
}

// Merge adds all values of o (Chan, Golub and LeVeque, 1979).
func (m *Moments) Merge(o Moments) {
	if o.n == 0 {
		return
	}
	n := m.n + o.n
	d := o.mean - m.mean
	m.mean += d * (o.n / n)
	m.m2 += o.m2 + d*d*(m.n*o.n/n)
	m.n = n
}

// N returns the number of values added.
func (m Moments) N() int { return int(m.n) }

// Mean returns the mean; NaN without values.
func (m Moments) Mean() float64 {
	if m.n == 0 {
		return math.NaN()
	}
	return m.mean
}

// Sum returns the sum of the values.
func (m Moments) Sum() float64 { return m.n * m.mean }

// Variance returns the sample variance, with divisor n-1; NaN for fewer than two values.
func (m Moments) Variance() float64 {
	if m.n < 2 {
		return math.NaN()
	}
	return m.m2 / (m.n - 1)
}

// StdDev returns the square root of Variance.
func (m Moments) StdDev() float64 { return math.Sqrt(m.Variance()) }

// CV returns the coefficient of variation, StdDev/Mean.
func (m Moments) CV() float64 { return m.StdDev() / m.Mean() }
