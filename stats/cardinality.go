package stats

import (
	"fmt"
	"maps"
	"math"
)

// Cardinality counts the distinct values of a stream of integers. Up to Most of them the
// count is exact. Beyond that it is an estimate from a sample of fixed size: each value is
// hashed to a number between 0 and 1, and the values whose hash is below a bound, which is
// halved when they become too many, are kept (Flajolet, "On adaptive sampling", Computing
// 43, 1990). Its relative standard error is 1/sqrt(k) for k values kept; k is at least
// about half of Most, which gives 0.4 % by default.
//
// The result does not depend on the order of the values.
//
// The zero value is ready for use.
type Cardinality struct {
	Most   int // number of distinct values up to which the count is exact; 0 means DefaultDistinct
	places map[uint64]struct{}
	bound  uint64 // places from bound on are not kept; 0 means that all are kept
	last   int64
	any    bool
}

// DefaultDistinct is the number of distinct values up to which a Cardinality is exact by
// default.
const DefaultDistinct = 1 << 17

// Add adds a value.
func (c *Cardinality) Add(value int64) {
	if c.any && value == c.last { // jobs of one user are often consecutive
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
	for len(c.places) > c.most() {
		if c.bound /= 2; c.bound == 0 { // there was no bound
			c.bound = 1 << 63
		}
		maps.DeleteFunc(c.places, func(at uint64, _ struct{}) bool { return at >= c.bound })
	}
}

func (c *Cardinality) most() int {
	if c.Most == 0 {
		return DefaultDistinct
	}
	return c.Most
}

// place hashes a value to a number between 0 and 1, in units of 2^-64, by the finalizer of
// splitmix64 (Steele, Lea and Flood, OOPSLA 2014). No two values have the same place.
func place(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Count returns the number of distinct values.
func (c *Cardinality) Count() int64 {
	if c.bound == 0 {
		return int64(len(c.places))
	}
	return int64(math.Round(float64(len(c.places)) / float64(c.bound) * (1 << 64)))
}

// Exact reports whether Count is exact rather than an estimate.
func (c *Cardinality) Exact() bool { return c.bound == 0 }

// Method returns how Count was computed: "exact", or the standard error of the estimate.
func (c *Cardinality) Method() string {
	if c.Exact() {
		return "exact"
	}
	return fmt.Sprintf("estimate, relative standard error %.2g", 1/math.Sqrt(float64(len(c.places))))
}
