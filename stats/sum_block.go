package stats

import "slices"

// blockSize is how many products of whole numbers below 2^26 are summed in 64 bits.
const blockSize = 512

// block is some whole numbers, which are summed together: their sums stay in registers,
// and take 64 bits where the numbers are small.
type block struct {
	at   []int64
	bits uint64 // no number has a bit that is not here
}

// fill takes the numbers and reports whether all are small.
func (b *block) fill(x []float64) bool {
	b.at, b.bits = slices.Grow(b.at[:0], len(x))[:len(x)], 0
	for i, v := range x {
		n, ok := small(v)
		if !ok {
			return false
		}
		b.at[i] = n
		b.bits |= uint64(n ^ n>>63)
	}
	return true
}

// addWhole adds up to blockSize small numbers.
func (s *Sum) addWhole(x []int64) {
	sum := int64(0)
	for _, n := range x {
		sum += n
	}
	s.whole(sum>>63, uint64(sum))
}

// addProducts adds the products x[i] y[i] of up to blockSize small numbers of certain
// bits.
func (s *Sum) addProducts(x, y []int64, bits uint64) {
	y = y[:len(x)]
	if bits>>26 == 0 {
		sum := int64(0)
		for i, n := range x {
			sum += n * y[i]
		}
		s.whole(sum>>63, uint64(sum))
		return
	}
	var all Sum
	for i, n := range x {
		all.product(n, y[i])
	}
	s.whole(all.high, all.low)
}

// AddAll adds values. Whole numbers, many at once, take less than half the time that Add
// does.
func (m *ExactMoments) AddAll(x []float64) {
	var b block
	for x := range slices.Chunk(x, blockSize) {
		if !b.fill(x) {
			for _, v := range x {
				m.Add(v)
			}
			continue
		}
		m.addWhole(b.at, b.bits)
	}
}

// addWhole adds up to blockSize small numbers of certain bits.
func (m *ExactMoments) addWhole(x []int64, bits uint64) {
	m.n += int64(len(x))
	m.sum.addWhole(x)
	m.squares.addProducts(x, x, bits)
}

// AddAll adds the pairs x[i] and y[i]; y is as long as x. Whole numbers, many at once,
// take less than half the time that Add does.
func (c *ExactCorrelation) AddAll(x, y []float64) {
	var a, b block
	for len(x) > 0 {
		n := min(len(x), blockSize)
		if a.fill(x[:n]) && b.fill(y[:n]) {
			c.n += int64(n)
			c.x.addWhole(a.at)
			c.y.addWhole(b.at)
			c.xx.addProducts(a.at, a.at, a.bits)
			c.yy.addProducts(b.at, b.at, b.bits)
			c.xy.addProducts(a.at, b.at, a.bits|b.bits)
		} else {
			for i, v := range x[:n] {
				c.Add(v, y[i])
			}
		}
		x, y = x[n:], y[n:]
	}
}
