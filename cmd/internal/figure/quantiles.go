package figure

import (
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Pairs are the points of a Q-Q plot for one law: what the law has and
// what the data have at the same places, one after the other.
type Pairs struct {
	Name       string
	Model, Log []float64
}

// QQ draws quantiles of the data against those of the laws fitted to them, in
// the quantity's unit, over two log axes; a law that fits has its points on
// the diagonal.
//
// The axes are the data's range and up to a factor ten around it where points
// of a law are. What lies farther out, and what is not positive, is counted in
// the legend. Points that would lie on each other are drawn once.
func QQ(w io.Writer, format, source string, q Quantity, laws []Pairs) error {
	words, err := q.words()
	if err != nil {
		return err
	}
	from, to, err := qqRange(laws)
	if err != nil {
		return err
	}
	p := newSheet(words.title+": quantiles", source, words.axis+" by the fit", words.axis+" in the log")
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = words.ticks, words.ticks
	return p.drawPairs(w, format, from, to, laws)
}

// qqRange is the range of QQ's two axes.
func qqRange(laws []Pairs) (from, to float64, err error) {
	from, to = math.Inf(1), 0
	for _, l := range laws {
		if len(l.Model) != len(l.Log) {
			return 0, 0, fmt.Errorf("figure: %s: %d points of the distribution, %d of the log", l.Name, len(l.Model), len(l.Log))
		}
		for _, v := range l.Log {
			if v >= smallest && v <= largest {
				from, to = min(from, v), max(to, v)
			}
		}
	}
	if to == 0 {
		return 0, 0, fmt.Errorf("figure: none of the points of %d distributions is positive: nothing to draw", len(laws))
	}
	least, most := max(from/10, smallest), min(to*10, largest)
	for _, l := range laws {
		for _, v := range l.Model {
			if v >= least && v <= most {
				from, to = min(from, v), max(to, v)
			}
		}
	}
	return from / 1.1, to * 1.1, nil
}

// drawPairs draws a square figure with the same range on both axes.
func (s *sheet) drawPairs(w io.Writer, format string, from, to float64, laws []Pairs) error {
	s.width, s.height = square, square
	s.X.Min, s.X.Max, s.Y.Min, s.Y.Max = from, to, from, to
	s.draw("", grid())
	s.line("identity", from, from, to, to, 1)
	first := len(s.keys)
	for i, l := range slices.Backward(laws) { // the first, which is the closest, on top
		points, off := s.pairPoints(l)
		name := l.Name
		if off > 0 {
			name += fmt.Sprintf(" (%d off the chart)", off)
		}
		s.draw(name, &plotter.Scatter{XYs: points, GlyphStyle: markStyle(i)})
	}
	slices.Reverse(s.keys[first:])
	return s.write(w, format)
}

// closest is how near two points of a Q-Q plot may be, as a part of an axis.
const closest = 1.0 / 120

// pairPoints returns the points of a law that are drawn, and how many are off
// the axes.
func (s *sheet) pairPoints(l Pairs) (points plotter.XYs, off int) {
	within := func(a plot.Axis, v float64) bool { return v >= a.Min && v <= a.Max }
	var lastX, lastY float64
	for i := range l.Model {
		x, y := l.Model[i], l.Log[i]
		if !within(s.X, x) || !within(s.Y, y) {
			off++
			continue
		}
		nx, ny := s.X.Norm(x), s.Y.Norm(y)
		if len(points) > 0 && i < len(l.Model)-1 && math.Hypot(nx-lastX, ny-lastY) < closest {
			continue
		}
		points = append(points, plotter.XY{X: x, Y: y})
		lastX, lastY = nx, ny
	}
	return points, off
}
