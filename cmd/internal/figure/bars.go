package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// bar is a rectangle of data.
type bar struct {
	from, to float64 // along X
	low, top float64 // along Y
}

// bars are drawn side by side. The library's bar chart has no place on a log
// axis, and its histogram none for a bar on top of another.
type bars struct {
	all  []bar
	fill color.Color
	gap  vg.Length // between two bars
}

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, r := range b.all {
		if !(r.top > r.low) {
			continue
		}
		from, to := x(r.from)+b.gap/2, x(r.to)-b.gap/2
		if low, top := y(r.low), y(r.top); to > from {
			c.FillPolygon(b.fill, c.ClipPolygonXY([]vg.Point{{X: from, Y: low}, {X: to, Y: low}, {X: to, Y: top}, {X: from, Y: top}}))
		}
	}
}

// Thumbnail implements plot.Thumbnailer.
func (b bars) Thumbnail(c *draw.Canvas) {
	box := c.Rectangle
	c.FillPolygon(b.fill, []vg.Point{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}})
}

// highest is the top of the highest bar, 0 where there is none.
func (b bars) highest() float64 {
	top := 0.0
	for _, r := range b.all {
		top = max(top, r.top)
	}
	return top
}

var (
	_ plot.Plotter     = bars{}
	_ plot.Thumbnailer = bars{}
)
