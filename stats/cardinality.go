package stats

import (
	"fmt"
	"maps"
	"math"
)

// Cardinality counts the different values of a stream of whole numbers. It is
// exact up to so many of them, and beyond an estimate from a sample of fixed
// size: each value has a pseudo-random place between 0 and 1, and the values
// whose places are below a bound, which is halved as they become more, are kept
// (Flajolet's "adaptive sampling", Computing 43, 1990). Its relative standard error
// is one over the root of the number kept, which is about half of the most at least:
// 0.4 %.
//
// The result depends on the values only, not on their order nor on how they were
// merged, provided that all parts have the same Most.
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
	c.keep(at)
}

// keep keeps a place below the bound.
func (c *Cardinality) keep(at uint64) {
	if c.places == nil {
		c.places = map[uint64]struct{}{}
	}
	c.places[at] = struct{}{}
	most := c.Most
	if most == 0 {
		most = DefaultDistinct
	}
	for len(c.places) > most {
		c.lower(c.half())
	}
}

// half is half of the bound.
func (c *Cardinality) half() uint64 {
	if c.bound == 0 {
		return 1 << 63
	}
	return c.bound / 2
}

// lower leaves only the places below a bound.
func (c *Cardinality) lower(bound uint64) {
	c.bound = bound
	maps.DeleteFunc(c.places, func(at uint64, _ struct{}) bool { return at >= bound })
}

// Merge adds all values of o, which is not changed.
func (c *Cardinality) Merge(o *Cardinality) {
	if o.bound != 0 && (c.bound == 0 || o.bound < c.bound) {
		c.lower(o.bound)
	}
	for at := range o.places {
		if c.bound == 0 || at < c.bound {
			c.keep(at)
		}
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

// Count returns the number of different values.
func (c *Cardinality) Count() int64 {
	if c.bound == 0 {
		return int64(len(c.places))
	}
	return int64(math.Round(float64(len(c.places)) / float64(c.bound) * (1 << 64)))
}

// Exact reports whether Count is exact, not an estimate.
func (c *Cardinality) Exact() bool { return c.bound == 0 }

// Method returns how Count was found: "exact", or what its standard error is.
func (c *Cardinality) Method() string {
	if c.Exact() {
		return "exact"
	}
	return fmt.Sprintf("estimate, relative standard error %.2g", 1/math.Sqrt(float64(len(c.places))))
}
