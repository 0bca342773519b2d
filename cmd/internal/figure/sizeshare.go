package figure

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// SizeGroup is the share of short run times among the jobs of some sizes.
type SizeGroup struct {
	Smallest, Largest float64 // processors
	Median            float64 // processors
	P                 float64 // share of the law of short run times, 0 to 1
}

// Curve is a function of the size, in processors.
type Curve struct {
	Name string
	At   func(size float64) float64
}

// ShareBySize draws p(size), the share of short run times by size (Lublin and
// Feitelson 2003, section 3.2.3): the groups that it was fitted to, each a
// point at its median with a line from its smallest to its largest size, and
// the curves fitted to them (the line, log-odds, a constant), clamped to 0 to 1.
func ShareBySize(w io.Writer, format, source string, groups []SizeGroup, curves []Curve) error {
	p := newSheet("Run times depend on size", source, "size (processors)", "p, share of short run times")
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, powersOfTwo{}
	p.X.Min, p.X.Max = math.Inf(1), 0
	p.Y.Min, p.Y.Max = 0, 1
	var points plotter.XYs
	for i, g := range groups {
		if !(g.Smallest >= 1 && g.Smallest <= g.Median && g.Median <= g.Largest && g.Largest <= largest && g.P >= 0 && g.P <= 1) {
			return fmt.Errorf("figure: group %d has sizes %g to %g, median %g and p %g, want sizes of 1 or more in order and p from 0 to 1", i+1, g.Smallest, g.Largest, g.Median, g.P)
		}
		p.X.Min, p.X.Max = min(p.X.Min, g.Smallest), max(p.X.Max, g.Largest)
		points = append(points, plotter.XY{X: g.Median, Y: g.P})
	}
	if len(groups) == 0 {
		return fmt.Errorf("figure: no group of sizes to draw")
	}
	from := p.X.Min
	p.X.Min, p.X.Max = p.X.Min/1.15, p.X.Max*1.15
	p.draw("", grid())
	xs := logSpaced(from, p.X.Max, curvePoints)
	ranges := draw.LineStyle{Color: grey, Width: 2}
	var data []plot.Plotter
	for _, g := range groups {
		data = append(data, &plotter.Line{XYs: plotter.XYs{{X: g.Smallest, Y: g.P}, {X: g.Largest, Y: g.P}}, LineStyle: ranges})
	}
	data = append(data, &plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: ink, Radius: 3.5, Shape: draw.CircleGlyph{}}})
	p.draw("the log, by groups of sizes", data...)
	for i, c := range curves {
		if err := p.addCurve(c.clamped(xs), modelStyle(i)); err != nil {
			return err
		}
	}
	return p.write(w, format)
}

// clamped is the curve at some sizes, clamped to 0 to 1. Sizes are whole: the
// curve goes straight from one to the next.
func (c Curve) clamped(sizes []float64) series {
	at := func(size float64) float64 { return max(0, min(1, c.At(size))) }
	return curveOf(c.Name, func(size float64) float64 {
		whole, part := math.Modf(size)
		if part == 0 {
			return at(size)
		}
		return (1-part)*at(whole) + part*at(whole+1)
	}, sizes)
}
