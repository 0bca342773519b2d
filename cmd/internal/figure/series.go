package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The colours of the palette are those of Okabe and Ito, which most people can distinguish.
var (
	ink     = color.RGBA{0x33, 0x33, 0x33, 0xff}
	grey    = color.RGBA{0x99, 0x99, 0x99, 0xff} // the data's lines
	light   = color.RGBA{0xc4, 0xc4, 0xc4, 0xff} // the data's bars
	faint   = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}
	pale    = color.RGBA{0xcc, 0xe3, 0xf0, 0xff} // below a line
	palette = []color.RGBA{
		{0x00, 0x72, 0xb2, 0xff}, // blue
		{0xd5, 0x5e, 0x00, 0xff}, // vermilion
		{0x00, 0x9e, 0x73, 0xff}, // green
		{0xcc, 0x79, 0xa7, 0xff}, // purple
		{0xe6, 0x9f, 0x00, 0xff}, // orange
		{0x56, 0xb4, 0xe9, 0xff}, // sky blue
		{0x00, 0x00, 0x00, 0xff}, // black
	}
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}, {4, 4}, {10, 3}, {1, 3}}
)

// stroke returns the style of a line. Data are drawn wide and grey, so that other lines show
// on top. Each further round through the palette shifts the dashes by one.
func (d *drawing) stroke(c *Series) draw.LineStyle {
	style := draw.LineStyle{Color: grey, Width: 3}
	if i := c.Color - 1; i >= 0 {
		style = draw.LineStyle{Color: palette[i%len(palette)], Width: 1.5, Dashes: dashes[(i+i/len(palette))%len(dashes)]}
	}
	switch c.Dash {
	case Solid:
		style.Dashes = nil
	case Dashed:
		style.Dashes = []vg.Length{5, 3}
	}
	if d.spec.edges(c) > 0 && len(c.Y) > manySteps {
		style.Width = 0.7
	}
	return style
}

// fill returns the colour of an area: that of the palette, paler in each further round.
func (c *Series) fill() color.NRGBA {
	i := c.Color - 1
	if i < 0 {
		return color.NRGBA(light)
	}
	fill := color.NRGBA(palette[i%len(palette)])
	fill.A >>= i / len(palette)
	return fill
}

// shade returns the colour of a cell: from light for one job to dark for most jobs, on a
// logarithmic scale.
func shade(jobs, most int) color.RGBA {
	f := math.Log(float64(jobs)) / math.Log(float64(max(2, most)))
	v := uint8(math.Round(0xd2 - f*(0xd2-0x33)))
	return color.RGBA{v, v, v, 0xff}
}

// plotters returns the plotters of a series: those drawn below all lines, and those drawn above.
func (d *drawing) plotters(c *Series) (below, above []plot.Plotter) {
	switch c.Kind {
	case Bars:
		return d.barPlotters(c)
	case Cells:
		most := slices.Max(c.Count)
		for i, n := range c.Count {
			from, to := d.at(c.X[i], c.Y[i]), d.at(c.X[i]*c.Side, c.Y[i]*c.Side)
			if !math.IsNaN(from.Y + to.Y) {
				below = append(below, d.rectangle(shade(n, most), from, to))
			}
		}
		return append(below, &plotter.Polygon{Color: shade(most, most)}), nil // the last is in the legend
	case Points:
		marks := &plotter.Scatter{GlyphStyle: draw.GlyphStyle{Color: ink, Radius: 4, Shape: draw.PyramidGlyph{}}}
		for _, p := range d.path(c.X, c.Y) {
			if !math.IsNaN(p.Y) {
				marks.XYs = append(marks.XYs, p)
			}
		}
		return nil, []plot.Plotter{marks}
	}
	return d.band(c), d.strokes(c)
}

// at returns the position of a point on the axes; Y is NaN if the point cannot be drawn.
func (d *drawing) at(x, y float64) plotter.XY {
	p := plotter.XY{X: d.spec.X.Kind.place(&d.X, x), Y: d.spec.Y.Kind.place(&d.Y, y)}
	if math.IsNaN(p.X) {
		p.Y = p.X
	}
	return p
}

// rectangle returns the rectangle between two corners, clipped at the right and top ends of the
// axes.
func (d *drawing) rectangle(fill color.Color, from, to plotter.XY) *plotter.Polygon {
	right, top := min(to.X, d.X.Max), min(to.Y, d.Y.Max)
	return &plotter.Polygon{Color: fill, XYs: []plotter.XYs{{from, {X: from.X, Y: top}, {X: right, Y: top}, {X: right, Y: from.Y}}}}
}

// barPlotters returns the bars of a series and the intervals on them. The bars of several series
// share four fifths of each category, side by side. gonum/plot's bar chart supports neither bars
// of unequal width nor log axes.
func (d *drawing) barPlotters(c *Series) (bars, intervals []plot.Plotter) {
	for i, y := range c.Y {
		left, right := c.X[i], c.X[min(i+1, len(c.X)-1)]
		if d.spec.X.Kind == Categories {
			width := 0.8 / float64(d.bars)
			left += 0.1 + width*float64(d.bar)
			right = left + width
		}
		from, to := d.at(left, y), d.at(right, y)
		if to.Y > d.Y.Min && to.X > from.X {
			from.Y = d.Y.Min
			bar := d.rectangle(c.fill(), from, to)
			bar.LineStyle = draw.LineStyle{Color: color.White, Width: 0.5}
			bars = append(bars, bar)
		}
		if c.Low != nil {
			middle := (left + right) / 2
			line := plotter.XYs{d.at(middle, c.Low[i]), d.at(middle, c.High[i])}
			if !math.IsNaN(line[0].Y + line[1].Y) {
				intervals = append(intervals, &plotter.Line{XYs: line, LineStyle: draw.LineStyle{Color: ink, Width: 0.8}})
			}
		}
	}
	return bars, intervals
}

// band returns the area between the lower and upper ends of the intervals.
func (d *drawing) band(c *Series) (all []plot.Plotter) {
	top, bottom := d.path(c.X, c.High), d.path(c.X, c.Low)
	fill := c.fill()
	if c.Y != nil {
		fill.A = 0x30 // translucent, so that lines show where bands overlap
	}
	for _, run := range runs(len(top), partLength, func(i int) bool { return !math.IsNaN(top[i].Y + bottom[i].Y) }) {
		outline := slices.Concat(bottom[run[0]:run[1]], top[run[0]:run[1]])
		slices.Reverse(outline[run[1]-run[0]:])
		all = append(all, &plotter.Polygon{Color: fill, XYs: []plotter.XYs{outline}})
	}
	return all
}

// runs returns the runs of consecutive known points among n, as half-open ranges of indices. A run
// of more than longest points is split into parts, each of which begins with the last point of the
// one before.
func runs(n, longest int, known func(i int) bool) (all [][2]int) {
	for from := 0; from < n; from++ {
		to := from
		for to < n && to-from < longest && known(to) {
			to++
		}
		if to == from {
			continue
		}
		all = append(all, [2]int{from, to})
		if from = to; to < n && known(to) {
			from = to - 2
		}
	}
	return all
}

// path returns the points of a line, or of steps between edges.
func (d *drawing) path(x, y []float64) (points plotter.XYs) {
	for i, v := range y {
		points = append(points, d.at(x[i], v))
		if len(x) > len(y) {
			points = append(points, d.at(x[i+1], v))
		}
	}
	return points
}

const (
	// mostPoints is the largest number of points of a line that is not decimated.
	mostPoints = 2000
	// lineColumns is the number of columns by which a longer line is decimated: about
	// one per typographic point of the figure's width.
	lineColumns = 400
	// mostStroked is the largest number of points of a line that is drawn in one stroke.
	// Longer lines, and all bands, are drawn in parts of partLength points: the time to
	// stroke or fill a noisy line in a PNG grows at least with the square of its points.
	mostStroked, partLength = 800, 100
	// manySteps is the number of steps beyond which a line is thin.
	manySteps = 200
)

// strokes returns the parts of a line; the area below a Step series is filled.
func (d *drawing) strokes(c *Series) (all []plot.Plotter) {
	points := d.path(c.X, c.Y)
	isKnown := func(i int) bool { return !math.IsNaN(points[i].Y) }
	if len(points) > mostPoints {
		var kept plotter.XYs
		for _, run := range runs(len(points), len(points), isKnown) {
			kept = append(append(kept, d.decimated(points[run[0]:run[1]])...), plotter.XY{Y: math.NaN()})
		}
		points = kept
	}
	longest := len(points)
	if longest > mostStroked {
		longest = partLength
	}
	for _, run := range runs(len(points), longest, isKnown) {
		line := &plotter.Line{XYs: points[run[0]:run[1]], LineStyle: d.stroke(c)}
		if c.Kind == Step {
			line.FillColor = pale
		}
		all = append(all, line)
	}
	return all
}

// decimated reduces an unbroken line to what can be seen of it: of consecutive points
// in one column of the figure, it keeps the first, the lowest, the highest and the last.
func (d *drawing) decimated(points plotter.XYs) (kept plotter.XYs) {
	column := func(i int) float64 { return math.Floor(lineColumns * d.X.Norm(points[i].X)) }
	for from := 0; from < len(points); {
		low, high, to := from, from, from+1
		for ; to < len(points) && column(to) == column(from); to++ {
			if points[to].Y < points[low].Y {
				low = to
			}
			if points[to].Y > points[high].Y {
				high = to
			}
		}
		for _, i := range slices.Compact([]int{from, min(low, high), max(low, high), to - 1}) {
			kept = append(kept, points[i])
		}
		from = to
	}
	return kept
}
