package figure

import (
	"fmt"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Trend is a path through means, with the ends of their intervals: NaN where
// there is none.
type Trend struct {
	Path
	Low, High []float64
}

// Varied draws what becomes of a quantity as a parameter varies, with one curve
// a strategy and the intervals as bars, side by side where they would hide each
// other. It is an error if there is nothing to draw.
func Varied(w io.Writer, format, source, parameter, quantity string, all []Trend) error {
	s := newSheet("What "+parameter+" changes", source, parameter, quantity)
	var paths []Path
	var bars []intervalBars
	for i, t := range all {
		if len(t.Low) != len(t.X) || len(t.High) != len(t.X) {
			return fmt.Errorf("figure: %s: %d numbers along the axis, and intervals with %d lower and %d upper ends", t.Name, len(t.X), len(t.Low), len(t.High))
		}
		b := intervalBars{style: draw.LineStyle{Color: modelStyle(i).Color, Width: 0.8}, shift: 3 * vg.Length(2*i+1-len(all)) / 2}
		for k, x := range t.X {
			if onAxis(s.X, x) && onAxis(s.Y, t.Low[k]) && onAxis(s.Y, t.High[k]) {
				b.all = append(b.all, bar{from: x, low: t.Low[k], top: t.High[k]})
			}
		}
		paths, bars = append(paths, t.Path), append(bars, b)
	}
	return s.lines(w, format, paths, false, bars...)
}

// intervalBars are vertical lines from low to top with a cap at both ends, by
// shift beside their place.
type intervalBars struct {
	all   []bar
	style draw.LineStyle
	shift vg.Length
}

// Plot implements plot.Plotter.
func (k intervalBars) Plot(c draw.Canvas, p *plot.Plot) {
	const cap = 1.2
	x, y := p.Transforms(&c)
	for _, b := range k.all {
		at, low, top := x(b.from)+k.shift, y(b.low), y(b.top)
		c.StrokeLine2(k.style, at, low, at, top)
		c.StrokeLine2(k.style, at-cap, low, at+cap, low)
		c.StrokeLine2(k.style, at-cap, top, at+cap, top)
	}
}
