package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	width  = 7 * vg.Inch
	height = 4 * vg.Inch
	square = 5.5 * vg.Inch
)

// sheet is a figure: a title, where the data are from, a legend, and a plot
// below the three. The library's own legend lies on the data.
//
// It draws the axes' titles too: the library makes room for a title at the
// middle of the axis' numbers, which is not the middle of a log axis. A title
// may have several lines.
type sheet struct {
	*plot.Plot
	title, source  string
	xTitle, yTitle string
	keys           []key
	width, height  vg.Length // with one row of the legend
}

// key is an entry of the legend.
type key struct {
	name   string
	width  vg.Length // of the thumbnails
	thumbs []plot.Thumbnailer
}

// newSheet returns an empty figure in the common style, wide and low.
func newSheet(title, source, x, y string) *sheet {
	return &sheet{Plot: newPlot(), title: title, source: source, xTitle: x, yTitle: y, width: width, height: height}
}

// draw adds what is drawn, under a name in the legend if that is not empty.
// It leaves the axes' ranges alone: the figure sets them.
func (s *sheet) draw(name string, all ...plot.Plotter) {
	x, y := s.X, s.Y
	s.Add(all...)
	s.X, s.Y = x, y
	if name == "" {
		return
	}
	k := key{name: name, width: 10}
	for _, p := range all {
		t, ok := p.(plot.Thumbnailer)
		if _, line := p.(*plotter.Line); line {
			k.width = 24
		}
		if ok {
			k.thumbs = append(k.thumbs, t)
		}
	}
	s.keys = append(s.keys, k)
}

// series is one curve: a name for the legend and its points.
type series struct {
	name   string
	points plotter.XYs
}

// addCurves draws the series in order, the first one as the data's.
func (s *sheet) addCurves(all []series) error {
	for i, c := range all {
		style := dataStyle()
		if i > 0 {
			style = modelStyle(i - 1)
		}
		if err := s.addCurve(c, style); err != nil {
			return err
		}
	}
	return nil
}

// addCurve draws one series, broken where a point cannot be drawn: a number
// that is not finite, or not positive on a log axis. It is an error if no
// point can. The axes' ranges are to be set before.
func (s *sheet) addCurve(c series, style draw.LineStyle) error {
	var part plotter.XYs
	name := c.name // of the first part
	end := func() {
		for len(part) > 0 {
			n := len(part)
			if n > mostStroked {
				n = partStroked
			}
			s.draw(name, &plotter.Line{XYs: part[:n], LineStyle: style})
			name = ""
			if n == len(part) {
				part = nil
				break
			}
			part = part[n-1:]
		}
	}
	for _, p := range s.decimated(c.points) {
		if !onAxis(s.X, p.X) || !onAxis(s.Y, p.Y) {
			end()
			continue
		}
		part = append(part, plotter.XY{X: p.X, Y: near(s.Y, p.Y)})
	}
	end()
	if name != "" {
		return fmt.Errorf("figure: %s: none of %d points can be drawn", c.name, len(c.points))
	}
	return nil
}

// line draws a straight grey line under a name.
func (s *sheet) line(name string, x0, y0, x1, y1 float64, width vg.Length) {
	s.draw(name, &plotter.Line{XYs: plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y1}}, LineStyle: draw.LineStyle{Color: grey, Width: width}})
}

// Numbers are drawn from 1e-300 (on a log axis) to 1e300: there is room on both
// sides for the ends of an axis.
const smallest, largest = 1e-300, 1e300

// onAxis says whether v has a place on the axis.
func onAxis(a plot.Axis, v float64) bool {
	if _, ok := a.Scale.(plot.LogScale); ok && !(v >= smallest) {
		return false
	}
	return math.Abs(v) <= largest
}

// near moves a number far outside a linear axis to just outside of it, so that
// the pole of a density does not overflow where the line is cut at the frame.
func near(a plot.Axis, v float64) float64 {
	if _, ok := a.Scale.(plot.LinearScale); !ok {
		return v
	}
	span := a.Max - a.Min
	return max(a.Min-span, min(a.Max+span, v))
}
