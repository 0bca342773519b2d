package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The colours are those of Okabe and Ito, which most people can tell apart.
var (
	ink     = color.RGBA{0x33, 0x33, 0x33, 0xff}
	grey    = color.RGBA{0x99, 0x99, 0x99, 0xff} // the data's lines
	light   = color.RGBA{0xc4, 0xc4, 0xc4, 0xff} // the data's bars
	faint   = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}
	pale    = color.RGBA{0xcc, 0xe3, 0xf0, 0xff} // below a line
	palette = []color.Color{
		color.RGBA{0x00, 0x72, 0xb2, 0xff}, // blue
		color.RGBA{0xd5, 0x5e, 0x00, 0xff}, // vermilion
		color.RGBA{0x00, 0x9e, 0x73, 0xff}, // green
		color.RGBA{0xcc, 0x79, 0xa7, 0xff}, // purple
		color.RGBA{0xe6, 0x9f, 0x00, 0xff}, // orange
		color.RGBA{0x56, 0xb4, 0xe9, 0xff}, // sky blue
		color.RGBA{0x00, 0x00, 0x00, 0xff}, // black
	}
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}, {4, 4}, {10, 3}, {1, 3}}
	marks  = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{}, draw.RingGlyph{}, draw.TriangleGlyph{}}
)

// sans is the font of all figures.
func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// dataStyle is how the log's own curve is drawn: wide and grey, so that a
// model's curve shows on top of it.
func dataStyle() draw.LineStyle { return draw.LineStyle{Color: grey, Width: 3} }

// modelStyle is how the i-th model's curve is drawn. Neither colour nor dashes
// alone tell curves apart; a second round through the colours has the dashes
// moved on by one.
func modelStyle(i int) draw.LineStyle {
	return draw.LineStyle{
		Color:  palette[i%len(palette)],
		Width:  1.5,
		Dashes: dashes[(i+i/len(palette))%len(dashes)],
	}
}

// markStyle is how the i-th model's points are drawn.
func markStyle(i int) draw.GlyphStyle {
	return draw.GlyphStyle{
		Color:  palette[i%len(palette)],
		Radius: 2,
		Shape:  marks[(i+i/len(palette))%len(marks)],
	}
}

// newPlot returns an empty plot in the common style.
func newPlot() *plot.Plot {
	p := plot.New()
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Label.Font = sans(tickSize)
		a.Tick.Label.Color = ink
		a.Tick.Color = faint
		a.Tick.Marker = round{}
		a.Color = faint
		a.Padding = 6
	}
	return p
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = faint, faint
	return g
}

// horizontals are a grid for bars, which need no vertical lines.
func horizontals() *plotter.Grid {
	g := grid()
	g.Vertical.Color = nil
	return g
}

// logSpaced returns n points from low to high, equally spaced on a log axis.
func logSpaced(low, high float64, n int) []float64 {
	xs := make([]float64, n)
	step := math.Log(high/low) / float64(n-1)
	for i := range xs {
		xs[i] = low * math.Exp(step*float64(i))
	}
	xs[n-1] = high
	return xs
}
