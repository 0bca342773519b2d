package draw

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	width     = vg.Length(504)
	height    = vg.Length(320)
	edge      = vg.Length(10) // around it all
	keyHeight = vg.Length(16) // of a row of the legend
	thumbnail = vg.Length(26) // width in the legend
)

// key is an entry of the legend.
type key struct {
	name   string
	thumbs []plot.Thumbnailer
}

// page is a plot with what stands around it: title, source, legend and the axes'
// titles, all off the data.
type page struct {
	figure Figure
	plot   *plot.Plot
	keys   []key
}

func style(size vg.Length) text.Style {
	return text.Style{Color: ink, Font: sans(size), YAlign: text.YCenter, Handler: plot.DefaultTextHandler}
}

// svg draws the page.
func (p page) svg() (string, error) {
	canvas, err := draw.NewFormattedCanvas(width, height, "svg")
	if err != nil {
		return "", fmt.Errorf("draw: %w", err)
	}
	c := draw.New(canvas)
	c.SetColor(p.plot.BackgroundColor)
	c.Fill(c.Rectangle.Path())
	area := draw.Crop(c, edge, -1.6*edge, edge, -edge)
	line := func(s string, size vg.Length) {
		if s != "" {
			area.FillText(style(size), vg.Point{X: area.Min.X, Y: area.Max.Y - 0.7*size}, s)
			area.Max.Y -= 1.4 * size
		}
	}
	line(p.figure.Title, 12)
	line(p.figure.Source, 10)
	area.Max.Y -= 4
	p.legend(&area)
	p.axes(area)
	var b strings.Builder
	if _, err := canvas.WriteTo(&b); err != nil {
		return "", fmt.Errorf("draw: %w", err)
	}
	// A viewer without the font would take one with serifs and other widths.
	return strings.ReplaceAll(b.String(), `style="font-family:Liberation Sans;`, `style="font-family:Liberation Sans,Arial,Helvetica,sans-serif;`), nil
}

// legend draws the entries in rows and takes their room from the area.
func (p page) legend(area *draw.Canvas) {
	if len(p.keys) == 0 {
		return
	}
	x, y := area.Min.X, area.Max.Y-keyHeight/2
	for _, k := range p.keys {
		long := thumbnail + 6 + style(10).Rectangle(k.name).Size().X
		if x > area.Min.X && x+long > area.Max.X {
			x, y = area.Min.X, y-keyHeight
		}
		box := draw.Canvas{Canvas: area.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y - 4}, Max: vg.Point{X: x + thumbnail, Y: y + 4},
		}}
		for _, t := range k.thumbs {
			t.Thumbnail(&box)
		}
		area.FillText(style(10), vg.Point{X: x + thumbnail + 6, Y: y}, k.name)
		x += long + 18
	}
	area.Max.Y = y - keyHeight/2 - 6
}

// axes draws the plot and the axes' titles.
func (p page) axes(c draw.Canvas) {
	const size, line = vg.Length(11), vg.Length(14)
	inner := draw.Crop(c, line+8, 0, line+2, -4)
	p.plot.Draw(inner)
	data := p.plot.DataCanvas(inner)
	s := style(size)
	s.XAlign = text.XCenter
	c.FillText(s, vg.Point{X: data.Center().X, Y: c.Min.Y + line/2}, p.figure.X.Title)
	s.Rotation = math.Pi / 2
	c.FillText(s, vg.Point{X: c.Min.X + line/2, Y: data.Center().Y}, p.figure.Y.Title)
}
