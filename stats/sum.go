package stats

import (
	"math"
	"math/big"
	"math/bits"
)

// Sum is the exact sum of up to 2^33 numbers and products of two numbers. Unlike sums of
// float64, it does not depend on the order of the terms or on how parts were merged. The
// zero value is 0.
//
// Whole numbers are summed in 128 bits. Others are summed in a fixed-point number that can
// hold every product of two float64 (Kulisch, "Computer Arithmetic and Validity", 2013,
// chapter 8), in 32-bit digits with room for carries (Neal, "Fast Exact Summation Using
// Small and Large Superaccumulators", 2015).
type Sum struct {
	low     uint64 // of the whole numbers, in two's complement
	high    int64
	digits  []int64 // of the others: digit i counts 2^(32 i - wideBias); nil where there are none
	carried int     // terms since the digits were below 2^32
	odd     float64 // the sum of what is not finite
}

const (
	wideBias   = 68 * 32 // the last bit of the smallest product is 2^-2148
	wideDigits = 136     // the largest product is below 2^2048
	mostTerms  = 1 << 30 // of less than 2^32 a digit, before carries
)

// Add adds a number.
func (s *Sum) Add(x float64) {
	if math.Abs(x) < 1<<62 {
		if n := int64(x); float64(n) == x {
			s.whole(n>>63, uint64(n))
			return
		}
	}
	if math.IsInf(x, 0) || math.IsNaN(x) {
		s.odd += x
		return
	}
	m, e := mantissa(x)
	s.scaled(0, m, e, x < 0)
}

// AddProduct adds the exact product of x and y.
func (s *Sum) AddProduct(x, y float64) {
	if n, ok := small(x); ok {
		if m, ok := small(y); ok {
			s.product(n, m)
			return
		}
	}
	if p := x * y; x-x != 0 || y-y != 0 {
		s.odd += p
		return
	}
	m, e := mantissa(x)
	n, f := mantissa(y)
	high, low := bits.Mul64(m, n)
	s.scaled(high, low, e+f, (x < 0) != (y < 0))
}

// small reports whether a number is a whole one below 2^47, whose products are summed
// quickly.
func small(x float64) (int64, bool) {
	n := int64(x)
	return n, float64(n) == x && uint64(n+1<<47) < 1<<48
}

// product adds the product of two small numbers.
func (s *Sum) product(n, m int64) {
	high, low := bits.Mul64(uint64(n), uint64(m))
	s.whole(int64(high)-n>>63&m-m>>63&n, low)
}

// whole adds a whole number of 128 bits.
func (s *Sum) whole(high int64, low uint64) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, low, 0)
	s.high += high + int64(carry)
}

// mantissa returns m and e with |x| = m 2^e, of a finite x.
func mantissa(x float64) (m uint64, e int) {
	b := math.Float64bits(x)
	m, e = b&(1<<52-1), int(b>>52&0x7ff)
	if e == 0 {
		return m, -1074
	}
	return m | 1<<52, e - 1075
}

// scaled adds or subtracts (high 2^64 + low) 2^e.
func (s *Sum) scaled(high, low uint64, e int, negative bool) {
	if s.digits == nil {
		s.digits = make([]int64, wideDigits)
	}
	if s.carried++; s.carried == mostTerms {
		s.carry()
	}
	at := e + wideBias
	shift := uint(at) & 31
	words := [3]uint64{low << shift, high<<shift | low>>(64-shift), high >> (64 - shift)}
	to := s.digits[at>>5:]
	for i, w := range words {
		if w == 0 {
			continue
		}
		a, b := int64(w&(1<<32-1)), int64(w>>32)
		if negative {
			a, b = -a, -b
		}
		to[2*i] += a
		to[2*i+1] += b
	}
}

// carry leaves less than 2^32 in each digit but the last, which has the sign.
func (s *Sum) carry() {
	for i, d := range s.digits[:wideDigits-1] {
		s.digits[i] = d & (1<<32 - 1)
		s.digits[i+1] += d >> 32
	}
	s.carried = 1
}

// Merge adds o, which is not modified.
func (s *Sum) Merge(o *Sum) {
	s.whole(o.high, o.low)
	s.odd += o.odd
	if o.digits == nil {
		return
	}
	if s.digits == nil {
		s.digits = make([]int64, wideDigits)
	}
	if s.carried+o.carried >= mostTerms {
		s.carry()
		c := Sum{digits: append([]int64(nil), o.digits...)}
		c.carry()
		o = &c
	}
	for i, d := range o.digits {
		s.digits[i] += d
	}
	s.carried += o.carried
}

// Float returns the sum, rounded once.
func (s *Sum) Float() float64 {
	if s.odd != 0 {
		return s.odd
	}
	if s.digits == nil && s.high == int64(s.low)>>63 {
		return float64(int64(s.low))
	}
	x, _ := s.exact().Float64()
	return x
}

// exactBits hold any sum, and the product of two sums and of a count.
const exactBits = 10_000

// exact is the sum, which is finite.
func (s *Sum) exact() *big.Float {
	all := new(big.Int).Lsh(big.NewInt(s.high), 64)
	all.Add(all, new(big.Int).SetUint64(s.low))
	bias := 0
	if s.digits != nil {
		bias = wideBias
		all.Lsh(all, wideBias)
		sum := new(big.Int)
		for i := len(s.digits) - 1; i >= 0; i-- {
			sum.Lsh(sum, 32)
			sum.Add(sum, big.NewInt(s.digits[i]))
		}
		all.Add(all, sum)
	}
	x := new(big.Float).SetPrec(exactBits).SetInt(all)
	return x.SetMantExp(x, -bias)
}

// spread returns n times a sum of products less the product of two sums, rounded
// once: n² times a covariance.
func spread(n float64, products, x, y *Sum) float64 {
	if products.odd != 0 || x.odd != 0 || y.odd != 0 {
		return math.NaN()
	}
	a := new(big.Float).SetPrec(exactBits).SetFloat64(n)
	a.Mul(a, products.exact())
	b := new(big.Float).SetPrec(exactBits).Mul(x.exact(), y.exact())
	d, _ := a.Sub(a, b).Float64()
	return d
}
