package figure

import "math"

// Numbers are drawn from 1e-300 (on a log axis) to 1e300: there is room on both
// sides for the ends of an axis.
const smallest, largest = 1e-300, 1e300

// has reports whether v has a place on the axis.
func (k AxisKind) has(v float64) bool {
	return math.Abs(v) <= largest && (!k.isLog() || v >= smallest)
}

// scale maps numbers to an axis. The library's log scale panics at numbers that are not
// positive; and numbers far outside of the axis, such as the pole of a density, are moved
// to just outside of it, so that no coordinate overflows.
type scale struct{ isLog bool }

// Normalize implements plot.Normalizer.
func (s scale) Normalize(low, high, x float64) float64 {
	if s.isLog {
		low, high, x = math.Log(low), math.Log(high), math.Log(max(x, smallest))
	}
	return max(-1, min(2, (x-low)/(high-low)))
}

// span is the range of some numbers.
type span struct {
	low, high float64
	some      bool
}

func (s *span) add(values ...float64) {
	for _, v := range values {
		if !s.some {
			*s = span{v, v, true}
		}
		s.low, s.high = min(s.low, v), max(s.high, v)
	}
}

// setRanges sets the ends of both axes: those asked for, or those of the series.
// It returns false if no series has a point.
func (d *drawing) setRanges() bool {
	s := d.spec
	var x, y span
	for _, c := range s.Series {
		for i, v := range c.X {
			if s.X.Kind.has(v) && (i >= len(c.Y) || s.Y.Kind.has(c.Y[i])) {
				x.add(v)
				if c.Kind == Cells {
					x.add(v * c.Side)
				}
			}
		}
		for _, values := range [][]float64{c.Y, c.Low, c.High} {
			for _, v := range values {
				if s.Y.Kind.has(v) {
					y.add(v)
				}
			}
		}
	}
	switch s.X.Kind {
	case Categories:
		x = span{0, float64(len(s.X.Names)), len(s.X.Names) > 0}
	case Hours:
		x = span{dayBegins, dayBegins + 24, true}
	}
	if !x.some || !y.some {
		return false
	}
	if s.Y.Kind.isLog() {
		y.low, y.high = max(smallest, y.low/1.2), y.high*1.2
	} else {
		y.low, y.high = min(0, y.low), 1.04*max(0, y.high)
	}
	d.X.Min, d.X.Max = s.X.ends(x)
	d.Y.Min, d.Y.Max = s.Y.ends(y)
	return true
}

// ends are those of the axis: there is room between them.
func (a *Axis) ends(s span) (low, high float64) {
	low, high = s.low, s.high
	if a.Max > a.Min && a.Kind.has(a.Min) {
		low, high = a.Min, a.Max
	}
	switch {
	case high > low:
	case a.Kind.isLog():
		high = 2 * low
	default:
		high = low + max(1, math.Abs(low))
	}
	return low, high
}
