package figure

import (
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// History is one or more quantities over time: line k has the value Lines[k].Y[i] from
// Edges[i] to Edges[i+1], s of the log; NaN stands for none.
type History struct {
	Title, Axis string
	Edges       []float64
	Lines       []HistoryLine
	// Full is what the line of the whole machine is called, at 1; "" for no line.
	Full string
}

// HistoryLine is one quantity.
type HistoryLine struct {
	Name string
	Y    []float64
}

const (
	// Values above offScale times the offScaleQuantile of all are off the scale: one
	// spike would leave no height for the rest.
	offScale, offScaleQuantile = 1.6, 0.95
	// fewestOffScale is how many values there are where some may be off the scale.
	fewestOffScale = 12
)

// Top is the end of the vertical axis. The values above it are marked at its end; there
// are none where no value is far above the others. Top is 0 where there is nothing to
// draw.
func (h *History) Top() float64 {
	var all []float64
	for _, l := range h.Lines {
		for _, y := range l.Y {
			if math.Abs(y) <= largest {
				all = append(all, y)
			}
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	top, most := all[len(all)-1], offScale*all[int(offScaleQuantile*float64(len(all)-1))]
	if h.Full != "" {
		top, most = max(top, 1), max(most, 1.2)
	}
	if len(all) >= fewestOffScale && most > 0 && top > 1.25*most {
		return most
	}
	return 1.04 * top
}

// OverTime draws quantities over time as steps, the first one filled. at tells the time
// at a second of the log, nil where that is not known. It is an error if there is
// nothing to draw.
func OverTime(w io.Writer, format, source string, h History, at func(seconds float64) time.Time) error {
	top := h.Top()
	if !(top > 0) {
		return fmt.Errorf("figure: no %s to draw", h.Axis)
	}
	s := newSheet(h.Title, source, "time", h.Axis)
	s.X.Tick.Marker = calendar{at}
	if at == nil {
		s.xTitle = "days since the log began"
	}
	s.X.Min, s.X.Max = h.Edges[0], h.Edges[len(h.Edges)-1]
	s.Y.Min, s.Y.Max = 0, top
	s.draw("", grid())
	for i, l := range h.Lines {
		if len(l.Y) != len(h.Edges)-1 {
			return fmt.Errorf("figure: %s: %d values between %d times", l.Name, len(l.Y), len(h.Edges))
		}
		if i == 0 {
			for _, area := range h.areas(l.Y, top) {
				s.draw("", &plotter.Polygon{XYs: []plotter.XYs{area}, Color: pale})
			}
		}
		style := draw.LineStyle{Color: palette[i%len(palette)], Width: 1.2}
		name := l.Name
		if len(h.Lines) == 1 && h.Full == "" {
			name = ""
		}
		if err := s.addCurve(series{name, h.steps(l.Y, top)}, style); err != nil {
			return err
		}
	}
	if h.Full != "" {
		full := draw.LineStyle{Color: palette[6], Width: 1.2, Dashes: dashes[1]}
		if err := s.addCurve(series{h.Full, plotter.XYs{{X: s.X.Min, Y: 1}, {X: s.X.Max, Y: 1}}}, full); err != nil {
			return err
		}
	}
	var off plotter.XYs
	for _, l := range h.Lines {
		for i, y := range l.Y {
			if y > top && y <= largest {
				off = append(off, plotter.XY{X: (h.Edges[i] + h.Edges[i+1]) / 2, Y: top})
			}
		}
	}
	if len(off) > 0 {
		s.draw("off the scale", &plotter.Scatter{XYs: off, GlyphStyle: draw.GlyphStyle{Color: ink, Radius: vg.Points(4), Shape: upwards{}}})
	}
	return s.write(w, format)
}

// steps are the points of a line, cut at the end of the axis.
func (h *History) steps(values []float64, top float64) (points plotter.XYs) {
	for i, y := range values {
		if !(math.Abs(y) <= largest) {
			y = math.NaN()
		}
		y = min(y, top)
		points = append(points, plotter.XY{X: h.Edges[i], Y: y}, plotter.XY{X: h.Edges[i+1], Y: y})
	}
	return points
}

// areas are the outlines below a line, one for each run of known values.
func (h *History) areas(values []float64, top float64) (all []plotter.XYs) {
	var run plotter.XYs
	end := func() {
		if n := len(run); n > 0 {
			all = append(all, append(plotter.XYs{{X: run[0].X}}, append(run, plotter.XY{X: run[n-1].X})...))
		}
		run = nil
	}
	for _, p := range h.steps(values, top) {
		if math.IsNaN(p.Y) {
			end()
			continue
		}
		run = append(run, p)
	}
	end()
	return all
}

// upwards is a triangle that stands just below its place and points up to it.
type upwards struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (upwards) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	c.SetColor(style.Color)
	r := style.Radius
	var p vg.Path
	p.Move(at)
	p.Line(vg.Point{X: at.X - 0.8*r, Y: at.Y - 1.4*r})
	p.Line(vg.Point{X: at.X + 0.8*r, Y: at.Y - 1.4*r})
	p.Close()
	c.Fill(p)
}

// finite is v, and 0 where it is none.
func finite(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}
