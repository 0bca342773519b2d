package stats

import "math"

// Correlation accumulates pairs (x, y) for Pearson's correlation and the least-squares line
// of y on x. The zero value is empty. A pair with a NaN makes the results NaN.
type Correlation struct {
	n, meanX, meanY float64
	xx, yy, xy      float64 // sums of products of deviations
}

// Add adds a pair.
func (c *Correlation) Add(x, y float64) {
	c.n++
	dx, dy := x-c.meanX, y-c.meanY
	c.meanX += dx / c.n
	c.meanY += dy / c.n
	c.xx += dx * (x - c.meanX)
	c.yy += dy * (y - c.meanY)
	c.xy += dx * (y - c.meanY)
}

// Merge adds all pairs of o.
func (c *Correlation) Merge(o Correlation) {
	if o.n == 0 {
		return
	}
	n := c.n + o.n
	dx, dy := o.meanX-c.meanX, o.meanY-c.meanY
	w := c.n * o.n / n
	c.meanX += dx * (o.n / n)
	c.meanY += dy * (o.n / n)
	c.xx += o.xx + dx*dx*w
	c.yy += o.yy + dy*dy*w
	c.xy += o.xy + dx*dy*w
	c.n = n
}

// N returns the number of pairs added.
func (c Correlation) N() int { return int(c.n) }

// R returns Pearson's correlation, in [-1, 1]; NaN for fewer than two pairs or if x or y is
// constant.
func (c Correlation) R() float64 {
	if c.n < 2 || c.xx == 0 || c.yy == 0 {
		return math.NaN()
	}
	r := c.xy / (math.Sqrt(c.xx) * math.Sqrt(c.yy))
	return max(-1, min(1, r))
}

// RSquared returns R², the share of y's variance that the line explains.
func (c Correlation) RSquared() float64 {
	r := c.R()
	return r * r
}

// Slope returns the slope of the least-squares line of y on x; NaN for fewer than two pairs
// or if x is constant.
func (c Correlation) Slope() float64 {
	if c.n < 2 || c.xx == 0 {
		return math.NaN()
	}
	return c.xy / c.xx
}

// Intercept returns the value of the least-squares line at x = 0.
func (c Correlation) Intercept() float64 { return c.meanY - c.Slope()*c.meanX }
