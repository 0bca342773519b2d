package draw

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The colours are those of Okabe and Ito, which most people can tell apart.
var (
	ink     = color.RGBA{0x33, 0x33, 0x33, 0xff}
	grey    = color.RGBA{0x99, 0x99, 0x99, 0xff}
	faint   = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}
	palette = []color.Color{
		color.RGBA{0x00, 0x72, 0xb2, 0xff}, // blue
		color.RGBA{0xd5, 0x5e, 0x00, 0xff}, // vermilion
		color.RGBA{0x00, 0x9e, 0x73, 0xff}, // green
		color.RGBA{0xcc, 0x79, 0xa7, 0xff}, // purple
		color.RGBA{0xe6, 0x9f, 0x00, 0xff}, // orange
		color.RGBA{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	}
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}, {4, 4}}
	marks  = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{}, draw.RingGlyph{}, draw.TriangleGlyph{}}
)

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// styles are how the i-th model, or the data, is drawn. Colour alone tells no
// two of them apart.
func styles(i int, data bool) (draw.LineStyle, draw.GlyphStyle) {
	line := draw.LineStyle{Color: palette[i%len(palette)], Width: 1.5, Dashes: dashes[i%len(dashes)]}
	mark := draw.GlyphStyle{Color: line.Color, Radius: 2.5, Shape: marks[i%len(marks)]}
	if data {
		line = draw.LineStyle{Color: grey, Width: 3}
		mark = draw.GlyphStyle{Color: grey, Radius: 2.5, Shape: draw.CircleGlyph{}}
	}
	return line, mark
}

// newPlot is an empty plot in the command's style.
func newPlot() *plot.Plot {
	p := plot.New()
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Label.Font = sans(10)
		a.Tick.Label.Color = ink
		a.Tick.Color = faint
		a.Tick.Marker = round{}
		a.Color = faint
		a.Padding = 6
	}
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = faint, faint
	p.Add(g)
	return p
}
