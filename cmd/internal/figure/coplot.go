package figure

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// MapPoint is an observation on a map; its place is in any unit.
type MapPoint struct {
	Name string
	X, Y float64
	// Model says that it is a model's workload: models and logs are told apart.
	Model bool
}

// MapArrow is a variable on a map: a direction of any length, and the
// correlation, in [0, 1], of the variable with the places along it.
type MapArrow struct {
	Name        string
	X, Y        float64
	Correlation float64
}

// CoPlot draws who is like whom: observations as points, and variables as arrows
// from their middle, whose length is the correlation; the circle is where 1 would
// be. Both axes have one scale and no numbers, because only the order of the
// distances means something. Talby, Feitelson and Raveh (1999).
//
// It is an error if there is no point, a number is not finite, or a correlation
// is out of range.
func CoPlot(w io.Writer, format, source string, points []MapPoint, arrows []MapArrow) error {
	if len(points) == 0 {
		return fmt.Errorf("figure: no workload to draw on the map")
	}
	for _, p := range points {
		if !(math.Abs(p.X) <= largest && math.Abs(p.Y) <= largest) {
			return fmt.Errorf("figure: %s is at %g, %g, want finite numbers", p.Name, p.X, p.Y)
		}
	}
	for _, a := range arrows {
		if l := math.Hypot(a.X, a.Y); !(l > 0) || math.IsInf(l, 1) || !(a.Correlation >= 0 && a.Correlation <= 1+1e-9) {
			return fmt.Errorf("figure: the arrow of %s is %g, %g with correlation %g, want a direction and a correlation from 0 to 1", a.Name, a.X, a.Y, a.Correlation)
		}
	}
	p := newSheet("Which workloads are alike", source, "", "")
	p.width, p.height = mapWidth, mapHeight
	p.HideAxes()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1, 1, -1, 1
	chart := newChart(points, arrows)
	p.draw("", chart)
	models, logs := 0, 0
	for _, q := range points {
		if q.Model {
			models++
		} else {
			logs++
		}
	}
	if logs > 0 {
		p.keys = append(p.keys, key{name: "log", width: 10, thumbs: []plot.Thumbnailer{mark{logMark}}})
	}
	if models > 0 {
		p.keys = append(p.keys, key{name: "model", width: 10, thumbs: []plot.Thumbnailer{mark{modelMark}}})
	}
	if len(arrows) > 0 {
		p.keys = append(p.keys, key{name: "variable, as long as its correlation (circle: 1)", width: 24, thumbs: []plot.Thumbnailer{mark{draw.GlyphStyle{}}}})
	}
	return p.write(w, format)
}

const (
	mapWidth  = 7.5 * vg.Inch
	mapHeight = 6.5 * vg.Inch
	labelSize = vg.Length(9)
	// labelRoom is around the circle, for names.
	labelRoom = vg.Length(52)
)

var (
	logMark   = draw.GlyphStyle{Color: palette[0], Radius: 3.5, Shape: draw.CircleGlyph{}}
	modelMark = draw.GlyphStyle{Color: palette[1], Radius: 4, Shape: draw.PyramidGlyph{}}
	arrowLine = draw.LineStyle{Color: color.RGBA{0x88, 0x88, 0x88, 0xff}, Width: 1}
	arrowInk  = color.RGBA{0x66, 0x66, 0x66, 0xff}
)

// mark is a key of the legend: a point's glyph, or an arrow.
type mark struct{ glyph draw.GlyphStyle }

func (m mark) Thumbnail(c *draw.Canvas) {
	middle := c.Center()
	if m.glyph.Shape != nil {
		c.DrawGlyph(m.glyph, middle)
		return
	}
	drawArrow(*c, vg.Point{X: c.Min.X, Y: middle.Y}, vg.Point{X: c.Max.X, Y: middle.Y})
}

// chart is what CoPlot draws: places in units of the circle's radius.
type chart struct {
	points []MapPoint
	arrows []MapArrow
}

// newChart moves the points' middle to 0 and scales them so that the farthest is
// on the circle; arrows become as long as their correlation.
func newChart(points []MapPoint, arrows []MapArrow) chart {
	var c chart
	var mx, my, far float64
	for _, p := range points {
		mx += p.X / float64(len(points))
		my += p.Y / float64(len(points))
	}
	for _, p := range points {
		far = max(far, math.Hypot(p.X-mx, p.Y-my))
	}
	if far == 0 {
		far = 1
	}
	for _, p := range points {
		p.X, p.Y = (p.X-mx)/far, (p.Y-my)/far
		c.points = append(c.points, p)
	}
	for _, a := range arrows {
		l := math.Hypot(a.X, a.Y)
		a.X, a.Y = a.X/l*a.Correlation, a.Y/l*a.Correlation
		c.arrows = append(c.arrows, a)
	}
	return c
}

// Plot implements plot.Plotter.
func (m chart) Plot(c draw.Canvas, _ *plot.Plot) {
	size, middle := c.Size(), c.Center()
	radius := min(size.X, size.Y)/2 - labelRoom/2
	at := func(x, y float64) vg.Point {
		return vg.Point{X: middle.X + radius*vg.Length(x), Y: middle.Y + radius*vg.Length(y)}
	}
	var circle vg.Path
	circle.Move(at(1, 0))
	circle.Arc(middle, radius, 0, 2*math.Pi)
	c.SetLineStyle(draw.LineStyle{Color: faint, Width: 1})
	c.Stroke(circle)
	l := labels{within: c.Rectangle}
	for _, a := range m.arrows {
		tip := at(a.X, a.Y)
		drawArrow(c, middle, tip)
		l.line(middle, tip)
	}
	for _, p := range m.points {
		l.box(at(p.X, p.Y), 4)
	}
	for _, a := range m.arrows {
		l.place(c, a.Name, at(a.X, a.Y), arrowInk)
	}
	for _, p := range m.points {
		l.place(c, p.Name, at(p.X, p.Y), ink)
	}
	for _, p := range m.points {
		glyph := logMark
		if p.Model {
			glyph = modelMark
		}
		c.DrawGlyph(glyph, at(p.X, p.Y))
	}
}

func drawArrow(c draw.Canvas, from, to vg.Point) {
	c.StrokeLine2(arrowLine, from.X, from.Y, to.X, to.Y)
	along := math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X))
	for _, side := range []float64{0.4, -0.4} {
		sin, cos := math.Sincos(along + math.Pi + side)
		c.StrokeLine2(arrowLine, to.X, to.Y, to.X+6*vg.Length(cos), to.Y+6*vg.Length(sin))
	}
}

var _ plot.Plotter = chart{}
