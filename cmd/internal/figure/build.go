package figure

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/score"
)

// absent returns a picture that cannot be drawn for the given reason.
func absent(name, why string) Spec { return Spec{Name: name, Why: why} }

// unknown stands for a missing value or interval.
var unknown = math.NaN()

// put adds y with its interval at x to the series of the given name. If there is none, it appends
// one with the next colour of the palette. Values may be added in any order of x.
func put[F ~float64](s *Spec, kind SeriesKind, name string, x float64, y, low, high F) {
	k := slices.IndexFunc(s.Series, func(c Series) bool { return c.Name == name })
	if k < 0 {
		k = len(s.Series)
		s.Series = append(s.Series, Series{Name: name, Kind: kind, Color: k + 1})
	}
	c := &s.Series[k]
	at, _ := slices.BinarySearch(c.X, x)
	c.X, c.Y = slices.Insert(c.X, at, x), slices.Insert(c.Y, at, float64(y))
	c.Low, c.High = slices.Insert(c.Low, at, float64(low)), slices.Insert(c.High, at, float64(high))
}

// category returns the position of a name on a Categories axis, appending the name if it is new.
func (a *Axis) category(name string) float64 {
	i := slices.Index(a.Names, name)
	if i < 0 {
		i = len(a.Names)
		a.Names = append(a.Names, name)
	}
	return float64(i)
}

// curve returns a line of the values of a function at xs.
func curve(name string, color int, xs []float64, at func(x float64) float64) Series {
	s := Series{Name: name, Kind: Line, Color: color, X: xs}
	for _, x := range xs {
		s.Y = append(s.Y, at(x))
	}
	return s
}

// reference returns a dashed black line to compare others with.
func reference(name string, xs, ys []float64) Series {
	return Series{Name: name, Kind: Line, Color: len(palette), Dash: Dashed, X: xs, Y: ys}
}

// cumulative adds a distribution function as a line.
func (s *Spec) cumulative(name string, points []score.Share) {
	c := Series{Name: name, Kind: Line, Color: len(s.Series) + 1}
	for _, p := range points {
		c.X, c.Y = append(c.X, p.Value), append(c.Y, p.AtMost)
	}
	s.Series = append(s.Series, c)
}

// fromOne makes the X axis of cumulative curves of times begin at 1 and end where the longest
// curve ends. Curves that reach 1 before are extended to the end.
func (s *Spec) fromOne() {
	var all span
	for _, c := range s.Series {
		all.add(Number, c.X)
	}
	s.X.Min, s.X.Max = 1, max(10, all.high)
	for i := range s.Series {
		c := &s.Series[i]
		if n := len(c.Y); n > 0 && c.Y[n-1] == 1 {
			c.X, c.Y = append(c.X, s.X.Max), append(c.Y, 1)
		}
	}
}

// raise makes the axis of shares begin at a multiple of 0.1 below the lowest value at or beyond x,
// so that curves that lie mostly above it can be distinguished.
func (s *Spec) raise(x float64) {
	low := 1.0
	for _, c := range s.Series {
		for i, y := range c.Y {
			if c.X[i] >= x && y >= 0 {
				low = min(low, y)
			}
		}
	}
	s.Y.Min = max(0, math.Floor(10*(low-0.02))/10)
}

// logSpaced returns n places from low to high, equally spaced on a log axis.
func logSpaced(low, high float64, n int) []float64 {
	xs := make([]float64, n)
	step := math.Log(high/low) / float64(n-1)
	for i := range xs {
		xs[i] = low * math.Exp(step*float64(i))
	}
	xs[n-1] = high
	return xs
}

// span is the range of some numbers.
type span struct {
	low, high float64
	some      bool // false if there are no numbers
}

// add widens the range to include the values that can be drawn on an axis of the kind.
func (s *span) add(k AxisKind, values []float64) {
	for _, v := range values {
		switch {
		case !k.has(v):
		case !s.some:
			*s = span{v, v, true}
		default:
			s.low, s.high = min(s.low, v), max(s.high, v)
		}
	}
}
