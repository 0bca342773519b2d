package stats

import (
	"fmt"
	"math"
	"slices"
)

// Cardinality counts the different values of a stream of whole numbers. It is
// exact up to so many of them, and beyond an estimate from a sample of fixed
// size: each value has a pseudo-random place between 0 and 1, and the values
// whose places are below a bound, which falls as they become more, are kept
// (Bar-Yossef and others, "Counting Distinct Elements in a Data Stream", RANDOM
// 2002; Flajolet's "adaptive sampling", Computing 43, 1990). Its relative
// standard error is one over the root of the number kept, which is half of the
// most at least: 0.4 %.
//
// The zero value is ready for use, and exact up to DefaultDistinct values.
type Cardinality struct {
	Most   int // values up to which it is exact; 0 is DefaultDistinct
	places map[uint64]struct{}
	bound  uint64 // places from here on are not kept; 0: all are
	last   int64
	any    bool
}

// DefaultDistinct is up to how many different values a Cardinality is exact.
const DefaultDistinct = 1 << 17

// Add adds a value.
func (c *Cardinality) Add(value int64) {
	if c.any && value == c.last { // jobs of one user often stand together
		return
	}
	c.last, c.any = value, true
	at := place(uint64(value))
	if c.bound != 0 && at >= c.bound {
		return
	}
	if c.places == nil {
		c.places = map[uint64]struct{}{}
	}
	c.places[at] = struct{}{}
	most := c.Most
	if most == 0 {
		most = DefaultDistinct
	}
	if len(c.places) > most {
		c.halve()
	}
}

// halve lowers the bound to the median of the places.
func (c *Cardinality) halve() {
	all := make([]uint64, 0, len(c.places))
	for at := range c.places {
		all = append(all, at)
	}
	slices.Sort(all)
	c.bound = all[len(all)/2]
	for _, at := range all[len(all)/2:] {
		delete(c.places, at)
	}
}

// place is a value's place, in units of 2^-64: the finalizer of splitmix64
// (Steele, Lea and Flood, OOPSLA 2014), which no two values share.
func place(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Count is the number of different values.
func (c *Cardinality) Count() int64 {
	if c.bound == 0 {
		return int64(len(c.places))
	}
	return int64(math.Round(float64(len(c.places)) / float64(c.bound) * (1 << 64)))
}

// Exact says whether Count is no estimate.
func (c *Cardinality) Exact() bool { return c.bound == 0 }

// Method is how Count was found: "exact", or what its standard error is.
func (c *Cardinality) Method() string {
	if c.Exact() {
		return "exact"
	}
	return fmt.Sprintf("estimate, relative standard error %.2g", 1/math.Sqrt(float64(len(c.places))))
}
