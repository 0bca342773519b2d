package workload

import (
	"fmt"
	"math"
	"slices"
)

// notAbove0 is the range of amounts that no power of two bounds.
const notAbove0 = Unknown + 1

// ranges are the cells of an amount.
func (c ClassColumn) ranges(cells classCells) (classCells, error) {
	if c.Edges != nil && len(c.Edges) == 0 {
		return cells, fmt.Errorf("no edges of %s, want at least one, or nil for powers of two", c.Column)
	}
	for i, e := range c.Edges {
		if math.IsNaN(e) || math.IsInf(e, 0) || i > 0 && !(e > c.Edges[i-1]) {
			return cells, fmt.Errorf("edge %d of %s is %g, want finite numbers in ascending order", i, c.Column, e)
		}
	}
	cells.ofFloat = powerOfTwoRange
	edges := slices.Clone(c.Edges)
	if edges != nil {
		cells.ofFloat = func(v float64) int64 {
			i, _ := slices.BinarySearch(edges, v)
			return int64(i)
		}
	}
	place := cells.ofFloat
	cells.ofInt = func(v int64) int64 { return place(float64(v)) }
	cells.label = func(at int64) string {
		low, high := math.Inf(-1), math.Inf(1)
		switch {
		case edges != nil:
			if at > 0 {
				low = edges[at-1]
			}
			if at < int64(len(edges)) {
				high = edges[at]
			}
		case at == notAbove0:
			high = 0
		default:
			low, high = math.Ldexp(1, int(at-1)), math.Ldexp(1, int(at))
		}
		return rangeLabel(cells.Column, low, high)
	}
	return cells, nil
}

// powerOfTwoRange returns the k with 2^(k-1) < v <= 2^k.
func powerOfTwoRange(v float64) int64 {
	if v <= 0 {
		return notAbove0
	}
	part, k := math.Frexp(v) // part in [1/2, 1)
	if part == 0.5 {
		k--
	}
	return int64(k)
}

// rangeLabel names low < c <= high.
func rangeLabel(c *Column, low, high float64) string {
	number := func(v float64) string {
		if math.Abs(v) < 1e15 && v == math.Trunc(v) {
			return fmt.Sprintf("%d", int64(v))
		}
		return fmt.Sprintf("%g", v)
	}
	switch {
	case math.IsInf(low, -1):
		return c.Name + "<=" + number(high)
	case math.IsInf(high, 1):
		return c.Name + ">" + number(low)
	}
	least, most := math.Floor(low)+1, math.Floor(high)
	switch {
	case c.Float() || least > most:
		return c.Name + "=" + number(low) + ".." + number(high)
	case least == most:
		return c.Name + "=" + number(most)
	}
	return c.Name + "=" + number(least) + "-" + number(most)
}
