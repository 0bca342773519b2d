package stages

import "gonum.org/v1/gonum/floats"

// Curve is the part of an empirical distribution function that the stages are
// fitted to: a point for each distinct value of the jobs kept.
type Curve struct {
	X []float64 // ln of the distinct values, ascending
	w []float64 // shares of the kept jobs that have the values; their sum is 1
	y []float64 // means of the plotting positions of these jobs
	// within is the mean square of the jobs' positions around y, which no line
	// through the values explains.
	within float64
	Jobs   float64 // number of jobs kept
	First  int     // index of X[0] among the values of the sample
}

// Trimmed returns the curve of the jobs whose plotting position (rank - 0.5)/n lies in [trim,
// 1-trim], as in FitUniform.
func Trimmed(values, counts []float64, trim float64) Curve {
	var c Curve
	squares := 0.0
	n := floats.Sum(counts)
	eachKept(values, counts, n, trim, func(i int, x, k, y float64) {
		if len(c.X) == 0 {
			c.First = i
		}
		c.X, c.w, c.y = append(c.X, x), append(c.w, k), append(c.y, y)
		c.Jobs += k
		squares += k * (k*k - 1) / 12 / (n * n) // k positions 1/n apart
	})
	for i := range c.w {
		c.w[i] /= c.Jobs
	}
	c.within = squares / c.Jobs
	return c
}

// Total returns the mean square of the positions around their mean.
func (c *Curve) Total() float64 {
	mean, sum := 0.0, c.within
	for i, w := range c.w {
		mean += w * c.y[i]
	}
	for i, w := range c.w {
		sum += w * (c.y[i] - mean) * (c.y[i] - mean)
	}
	return sum
}

// MeanSquare returns the mean square of the positions around the broken line through
// (at[l], height[l]), continued beyond its ends.
func (c *Curve) MeanSquare(at, height []float64) float64 {
	sum, l := c.within, 1
	for i, x := range c.X {
		for l < len(at)-1 && x > at[l] {
			l++
		}
		slope := (height[l] - height[l-1]) / (at[l] - at[l-1])
		r := c.y[i] - (height[l-1] + slope*(x-at[l-1]))
		sum += c.w[i] * r * r
	}
	return sum
}

// moments holds weighted sums over the points of a segment, where d is x less the x of the knot
// at which the segment begins. The point of that knot belongs to the previous segment, except in
// the first segment.
type moments struct {
	n, d, dd, y, yd, yy float64
}

func (m *moments) add(w, d, y float64) {
	m.n += w
	m.d += w * d
	m.dd += w * d * d
	m.y += w * y
	m.yd += w * y * d
	m.yy += w * y * y
}

// extend adds the moments of the next cell, whose beginning has a d of shift. All terms are
// positive, so nothing cancels.
func (m *moments) extend(c moments, shift float64) {
	m.n += c.n
	m.d += c.d + shift*c.n
	m.dd += c.dd + shift*(2*c.d+shift*c.n)
	m.y += c.y
	m.yd += c.yd + shift*c.y
	m.yy += c.yy
}

// line returns the least sum of squares of a straight line through the points of the segment.
func (m *moments) line() float64 {
	if !(m.n > 0) {
		return 0
	}
	yy, dd, yd := m.yy-m.y*m.y/m.n, m.dd-m.d*m.d/m.n, m.yd-m.d*m.y/m.n
	if dd > 1e-12*m.dd {
		yy -= yd * yd / dd
	}
	return max(0, yy)
}

// segment is the sum of squares of a segment's points around the straight
// line between heights u and v at its knots:
// a u² + 2b u v + c v² - 2d u - 2e v + g.
type segment struct {
	a, b, c, d, e, g float64
}

// between returns the segment of that width.
func (m *moments) between(width float64) segment {
	d1, d2, yd := m.d/width, m.dd/(width*width), m.yd/width
	return segment{a: max(0, m.n-2*d1+d2), b: max(0, d1-d2), c: d2, d: m.y - yd, e: yd, g: m.yy}
}

// cells returns the moments between neighbouring knots, which are indexes of
// points.
func (c *Curve) cells(knots []int) []moments {
	cells := make([]moments, len(knots)-1)
	for k := range cells {
		from, to := knots[k], knots[k+1]
		if k > 0 {
			from++
		}
		for i := from; i <= to; i++ {
			cells[k].add(c.w[i], c.X[i]-c.X[knots[k]], c.y[i])
		}
	}
	return cells
}

// Heights returns the heights at the knots that minimize the sum of squares, where knots l-1 and
// l have the same height if flat[l] is true.
func (c *Curve) Heights(knots []int, flat []bool) []float64 {
	segments := make([]segment, len(knots)-1)
	for l, m := range c.cells(knots) {
		segments[l] = m.between(c.X[knots[l+1]] - c.X[knots[l]])
	}
	group := make([]int, len(knots)) // knots of the same group have the same height
	for l := 1; l < len(knots); l++ {
		group[l] = group[l-1]
		if !flat[l] {
			group[l]++
		}
	}
	of := solve(segments, group)
	height := make([]float64, len(knots))
	for l, g := range group {
		height[l] = of[g]
	}
	return height
}

// solve returns the heights that minimize the sum over the segments, where group[l] is the index
// of the height of knot l. The normal equations are tridiagonal, and have one solution because
// the knots are points.
func solve(segments []segment, group []int) []float64 {
	n := group[len(segments)] + 1
	diagonal, off, right := make([]float64, n), make([]float64, n), make([]float64, n)
	for l := range segments {
		s, u, v := &segments[l], group[l], group[l+1]
		diagonal[u] += s.a
		diagonal[v] += s.c
		if u == v {
			diagonal[u] += 2 * s.b
		} else {
			off[u] = s.b
		}
		right[u] += s.d
		right[v] += s.e
	}
	for i := 1; i < n; i++ {
		f := off[i-1] / diagonal[i-1]
		diagonal[i] -= f * off[i-1]
		right[i] -= f * right[i-1]
	}
	for i := n - 1; i >= 0; i-- {
		if i < n-1 {
			right[i] -= off[i] * right[i+1]
		}
		right[i] /= diagonal[i]
	}
	return right
}
