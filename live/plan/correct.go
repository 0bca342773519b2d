package plan

import (
	"cmp"
	"math"
	"slices"
)

// Corrections rest on the last remembered outcomes, of which the alike nearest in forecast
// say how much longer jobs wait than the schedules have it.
const (
	remembered = 1000
	alike      = 100
	// trusted is how many outcomes within a factor e of a forecast can correct it on their
	// own; where there are fewer, forecasts that were right make up for them.
	trusted = 40
)

// outcome is a wait as the schedules had it, and as it was, s.
type outcome struct{ said, was float64 }

// outcomes are those of one of the numbers of a forecast: the median, or a bound.
type outcomes struct {
	ring []outcome
	next int
}

func (o *outcomes) add(x outcome) {
	if len(o.ring) < remembered {
		o.ring = append(o.ring, x)
		return
	}
	o.ring[o.next] = x
	o.next = (o.next + 1) % remembered
}

// curve corrects a number of the forecasts: an ascending piecewise linear function of
// the logarithm of a second more. Beyond its ends it has slope 1; without knots it changes
// nothing.
type curve struct{ said, was []float64 } // knots, ln(1+s)

// curve returns the correction that makes the number the quantile q of what it forecasts.
// At each knot it adds the quantile of the differences in logarithms of the outcomes nearest
// in forecast: conformalised quantile regression (Romano, Patterson and Candès 2019) with
// neighbours. The curve ascends, so that forecasts keep their order.
//
// A bound is corrected by its nearest outcomes, however far: it is to cover. Within says that
// only those within a factor e count, as befits an expected wait: what makes seconds
// of none must not make hours of minutes.
func (o *outcomes) curve(q float64, within bool) curve {
	var c curve
	n := len(o.ring)
	if n < alike {
		return c
	}
	sorted := slices.Clone(o.ring)
	slices.SortFunc(sorted, func(a, b outcome) int { return cmp.Or(cmp.Compare(a.said, b.said), cmp.Compare(a.was, b.was)) })
	x := make([]float64, n)
	for i := range sorted {
		x[i] = math.Log1p(sorted[i].said)
	}
	differences := make([]float64, 0, n)
	for i := 0; i < n; {
		end := i + 1 // of those with the same forecast
		for end < n && x[end] == x[i] {
			end++
		}
		reach, least := math.Inf(1), 0
		if within {
			reach, least = 1, trusted
		}
		lo, hi := near(x, i, end, reach)
		differences = differences[:0]
		for k := lo; k < hi; k++ {
			differences = append(differences, math.Log1p(sorted[k].was)-x[k])
		}
		for len(differences) < least {
			differences = append(differences, 0)
		}
		slices.Sort(differences)
		c.said = append(c.said, x[i])
		c.was = append(c.was, max(0, x[i]+differences[rank(q, len(differences))]))
		i = max(end, i+alike/8)
	}
	ascend(c.was)
	return c
}

// near extends a range of ascending numbers that are all the same by the nearest others, to
// so many as are alike, if they are within reach.
func near(x []float64, lo, hi int, reach float64) (int, int) {
	at := x[lo]
	for hi-lo < alike {
		below, above := math.Inf(1), math.Inf(1)
		if lo > 0 {
			below = at - x[lo-1]
		}
		if hi < len(x) {
			above = x[hi] - at
		}
		switch {
		case min(below, above) > reach:
			return lo, hi
		case below <= above:
			lo--
		default:
			hi++
		}
	}
	return lo, hi
}

// ascend replaces numbers by the nearest ascending ones, in squares: neighbours in the
// wrong order by their mean (pool adjacent violators).
func ascend(y []float64) {
	type pool struct {
		sum float64
		n   int
	}
	var pools []pool
	for _, v := range y {
		p := pool{v, 1}
		for len(pools) > 0 {
			before := pools[len(pools)-1]
			if before.sum/float64(before.n) <= p.sum/float64(p.n) {
				break
			}
			p.sum, p.n = p.sum+before.sum, p.n+before.n
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, p)
	}
	i := 0
	for _, p := range pools {
		for range p.n {
			y[i] = p.sum / float64(p.n)
			i++
		}
	}
}

// rank returns the position of the least of n ascending values, of which another one is as
// likely to fall into any gap, that the next value is not above with probability q: the
// k-th is that for k of n+1. What lies beyond the last gets the last.
func rank(q float64, n int) int {
	return min(max(int(math.Ceil(q*float64(n+1)-1e-9)), 1), n) - 1
}

// of corrects a number of seconds.
func (c *curve) of(seconds float64) float64 {
	last := len(c.said) - 1
	if last < 0 || math.IsInf(seconds, 1) {
		return seconds
	}
	x := math.Log1p(seconds)
	i, _ := slices.BinarySearch(c.said, x)
	var y float64
	switch {
	case i > last:
		y = c.was[last] + x - c.said[last]
	case i == 0:
		y = c.was[0] + x - c.said[0]
	default:
		y = min(c.was[i], c.was[i-1]+(c.was[i]-c.was[i-1])*(x-c.said[i-1])/(c.said[i]-c.said[i-1]))
	}
	return max(0, math.Expm1(y))
}

// corrections are the curves of a forecast: of its median, and of its bounds.
type corrections struct {
	expected  curve
	bounds    []curve
	quantiles []float64
}

// forecast returns the corrected numbers of what the schedules say: ascending
// bounds, those above the median not below the expected wait.
func (c *corrections) forecast(f Forecast) (expected float64, bounds []float64) {
	expected = c.expected.of(f.Expected)
	bounds = make([]float64, len(f.Bounds))
	least := 0.0
	for i, b := range f.Bounds {
		if c.quantiles[i] > 0.5 {
			least = max(least, expected)
		}
		least = max(least, c.bounds[i].of(b))
		bounds[i] = least
	}
	return expected, bounds
}
