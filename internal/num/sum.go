package num

import "math"

// Sum is a compensated sum (Neumaier's variant of Kahan's): its error does
// not grow with the number of terms, as is needed for a log-likelihood over
// millions of values. The zero value is an empty sum. In practice, the sum of
// a log's numbers or products is exact except for one rounding.
type Sum struct {
	total, lost float64
}

// Add adds x.
func (s *Sum) Add(x float64) {
	t := s.total + x
	if math.Abs(s.total) >= math.Abs(x) {
		s.lost += (s.total - t) + x
	} else {
		s.lost += (x - t) + s.total
	}
	s.total = t
}

// AddProduct adds x y without rounding the product.
func (s *Sum) AddProduct(x, y float64) {
	product := x * y
	s.Add(product)
	s.lost += math.FMA(x, y, -product)
}

// Merge adds the terms of o.
func (s *Sum) Merge(o Sum) {
	s.Add(o.total)
	s.lost += o.lost
}

// Parts returns two numbers whose exact sum is that of the terms: the accumulated sum, and the
// accumulated rounding errors.
func (s Sum) Parts() (total, lost float64) { return s.total, s.lost }

// Value returns the sum. It is NaN or an infinity if a term is.
func (s Sum) Value() float64 {
	if math.IsInf(s.total, 0) || math.IsNaN(s.total) {
		return s.total // the compensation would be Inf - Inf
	}
	return s.total + s.lost
}
