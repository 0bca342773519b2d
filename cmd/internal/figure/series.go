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

// The colours are those of Okabe and Ito, which most people can tell apart.
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
	marks  = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{}, draw.RingGlyph{}, draw.TriangleGlyph{}}
)

// stroke is how a line is drawn: the data's wide and grey, so that others show on
// top of it. A second round through the colours has the dashes moved on by one.
func (c *Series) stroke() draw.LineStyle {
	if c.Kind == Limit {
		return draw.LineStyle{Color: palette[6], Width: 1.2, Dashes: dashes[1]}
	}
	style := draw.LineStyle{Color: grey, Width: 3}
	if c.Kind == Identity {
		style.Width = 1
	}
	if i := c.Color - 1; i >= 0 {
		style = draw.LineStyle{Color: palette[i%len(palette)], Width: 1.5, Dashes: dashes[(i+i/len(palette))%len(dashes)]}
	}
	switch c.Dash {
	case Solid:
		style.Dashes = nil
	case Dashed:
		style.Dashes = []vg.Length{5, 3}
	}
	return style
}

// fill is the colour of an area: the palette's, and halfway to white in a second
// round.
func (c *Series) fill() color.RGBA {
	i := c.Color - 1
	if i < 0 {
		return light
	}
	fill := palette[i%len(palette)]
	if i/len(palette)%2 == 1 {
		half := func(v uint8) uint8 { return uint8((int(v) + 0xff) / 2) }
		fill.R, fill.G, fill.B = half(fill.R), half(fill.G), half(fill.B)
	}
	return fill
}

// shade is the colour of a cell: from light for one job to dark for the most, by the
// logarithm.
func shade(jobs, most int) color.RGBA {
	f := math.Log(float64(jobs)) / math.Log(float64(max(2, most)))
	v := uint8(math.Round(0xd2 - f*(0xd2-0x33)))
	return color.RGBA{v, v, v, 0xff}
}

// area are polygons of one colour. The library's bar chart has no place on a log
// axis, and its histogram none for a bar on top of another.
type area struct {
	outlines []plotter.XYs
	fill     color.Color
	gap      vg.Length // between two of them
}

// Plot implements plot.Plotter.
func (a area) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, outline := range a.outlines {
		var points []vg.Point
		middle := (x(outline[0].X) + x(outline[len(outline)-1].X)) / 2
		for _, o := range outline {
			at := vg.Point{X: x(o.X), Y: y(o.Y)}
			if at.X < middle {
				at.X = min(middle, at.X+a.gap/2)
			} else {
				at.X = max(middle, at.X-a.gap/2)
			}
			points = append(points, at)
		}
		c.FillPolygon(a.fill, c.ClipPolygonXY(points))
	}
}

// Thumbnail implements plot.Thumbnailer.
func (a area) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(a.fill, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
}

// rectangle is one with its lower left and its upper right corner in the middle,
// so that the gap is on both sides.
func rectangle(x0, y0, x1, y1 float64) plotter.XYs {
	return plotter.XYs{{X: x0, Y: y0}, {X: x0, Y: y1}, {X: x1, Y: y1}, {X: x1, Y: y0}}
}

// areas are what is drawn of a series below all lines.
func (d *drawing) areas(c *Series) []plot.Plotter {
	switch c.Kind {
	case Bars:
		bars := area{fill: c.fill(), gap: 0.5}
		for i, y := range c.Y {
			if from, to := d.barAt(c, i); y > d.Y.Min && y <= largest && to > from {
				bars.outlines = append(bars.outlines, rectangle(from, d.Y.Min, to, y))
			}
		}
		if bars.outlines != nil {
			return []plot.Plotter{bars}
		}
	case Cells:
		var all []plot.Plotter
		most := slices.Max(c.Count)
		for i, n := range c.Count {
			if x, y := c.X[i], c.Y[i]; d.spec.X.Kind.has(x) && d.spec.Y.Kind.has(y) {
				all = append(all, area{outlines: []plotter.XYs{rectangle(x, y, min(x*c.Side, d.X.Max), min(y*c.Side, d.Y.Max))}, fill: shade(n, most)})
			}
		}
		return all
	case Step:
		return d.between(c, pale, nil, c.Y)
	case Band:
		return d.between(c, c.fill(), c.Low, c.High)
	case Line:
		if c.Low != nil {
			f := c.fill()
			opacity := uint8(0x60 / (1 + len(d.spec.Series))) // where all overlap, lines show
			return d.between(c, color.NRGBA{f.R, f.G, f.B, opacity}, c.Low, c.High)
		}
	}
	return nil
}

// barAt is the place of a bar. Series of bars stand side by side in four fifths of
// each category.
func (d *drawing) barAt(c *Series, i int) (from, to float64) {
	if d.spec.X.Kind != Categories {
		return c.X[i], c.X[i+1]
	}
	n, at := 0, 0
	for k := range d.spec.Series {
		if d.spec.Series[k].Kind == Bars {
			if &d.spec.Series[k] == c {
				at = n
			}
			n++
		}
	}
	width := 0.8 / float64(n)
	from = float64(i) + 0.1 + width*float64(at)
	return from, from + width
}

// between is the area between two lines, nil standing for the lower end of the axis. It
// is drawn in parts: the time to fill a path in a PNG grows faster than its length.
func (d *drawing) between(c *Series, fill color.Color, low, high []float64) []plot.Plotter {
	top, bottom := d.path(c.X, high), d.path(c.X, low)
	if low == nil {
		top = d.decimated(top)
		for _, p := range top {
			bottom = append(bottom, plotter.XY{X: p.X, Y: d.Y.Min})
		}
	}
	a := area{fill: fill}
	for _, run := range runs(len(top), 100, func(i int) bool { return !math.IsNaN(top[i].Y + bottom[i].Y) }) {
		from, to := run[0], run[1]
		outline := slices.Concat(bottom[from:to], top[from:to])
		slices.Reverse(outline[to-from:])
		a.outlines = append(a.outlines, outline)
	}
	if a.outlines == nil {
		return nil
	}
	return []plot.Plotter{a}
}

// runs are the stretches of n points that are known, from the first to behind the last one.
// Those of more than longest points are in parts, each of which begins where the one before
// ends.
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

// path is the points of a line, or of steps between edges, whose Y is NaN where a
// point has no place on the axes.
func (d *drawing) path(x, y []float64) (points plotter.XYs) {
	steps := len(x) == len(y)+1
	for i, v := range y {
		if !d.spec.X.Kind.has(x[i]) || !d.spec.Y.Kind.has(v) {
			v = math.NaN()
		}
		if steps {
			v = min(v, d.Y.Max)
			points = append(points, plotter.XY{X: x[i], Y: v}, plotter.XY{X: x[i+1], Y: v})
		} else {
			points = append(points, plotter.XY{X: x[i], Y: v})
		}
	}
	return points
}

// lines are the lines of a series, and the intervals of its bars.
func (d *drawing) lines(c *Series) (all []plot.Plotter) {
	style := c.stroke()
	switch {
	case c.Kind == Bars:
		style = draw.LineStyle{Color: ink, Width: 0.8}
	case c.Kind == Line && d.spec.Square:
		style.Width = 2 // on cells
	case len(c.X) == len(c.Y)+1 && len(c.Y) > manySteps:
		style.Width = 0.7
	}
	stroke := func(points ...plotter.XY) {
		all = append(all, &plotter.Line{XYs: points, LineStyle: style})
	}
	switch c.Kind {
	case Limit:
		stroke(plotter.XY{X: d.X.Min, Y: c.Y[0]}, plotter.XY{X: d.X.Max, Y: c.Y[0]})
	case Identity:
		if from, to := max(d.X.Min, d.Y.Min), min(d.X.Max, d.Y.Max); to > from {
			stroke(plotter.XY{X: from, Y: from}, plotter.XY{X: to, Y: to})
		}
	case Bars:
		for i := range c.Low {
			if from, to := d.barAt(c, i); d.spec.Y.Kind.has(c.Low[i]) && d.spec.Y.Kind.has(c.High[i]) {
				middle := (from + to) / 2
				stroke(plotter.XY{X: middle, Y: c.Low[i]}, plotter.XY{X: middle, Y: c.High[i]})
			}
		}
	case Line, Step, Level:
		var points plotter.XYs
		for _, p := range d.decimated(d.path(c.X, c.Y)) {
			if k := len(points); k > 1 && points[k-1].Y == p.Y && points[k-2].Y == p.Y {
				points = points[:k-1] // of a level part only the ends are needed
			}
			points = append(points, p)
		}
		longest := len(points)
		if longest > mostStroked {
			longest = partStroked
		}
		for _, run := range runs(len(points), longest, func(i int) bool { return !math.IsNaN(points[i].Y) }) {
			stroke(points[run[0]:run[1]]...)
		}
	}
	return all
}

const (
	// mostPoints is how many points a line has that is drawn as it is.
	mostPoints = 2000
	// lineColumns is how many columns a longer one is cut down by: about one a
	// point of the figure's width.
	lineColumns = 400
	// mostStroked is how many points a line has that is drawn in one stroke; a
	// longer one is drawn in parts: the time to stroke noise in a PNG grows with
	// the square of its points, and more.
	mostStroked, partStroked = 800, 10
	// manySteps is how many steps a line has that is thin.
	manySteps = 200
)

// decimated is a line cut down to what can be seen of it: of the points in a row
// that fall into one column of the figure the first, the lowest, the highest and
// the last. Points whose Y is NaN break the line, and one of them in a row stays.
func (d *drawing) decimated(points plotter.XYs) plotter.XYs {
	if len(points) <= mostPoints {
		return points
	}
	var kept plotter.XYs
	for from := 0; from < len(points); {
		if math.IsNaN(points[from].Y) {
			if k := len(kept); k == 0 || !math.IsNaN(kept[k-1].Y) {
				kept = append(kept, points[from])
			}
			from++
			continue
		}
		column := math.Floor(lineColumns * d.X.Norm(points[from].X))
		low, high, to := from, from, from+1
		for ; to < len(points) && !math.IsNaN(points[to].Y) && math.Floor(lineColumns*d.X.Norm(points[to].X)) == column; to++ {
			if points[to].Y < points[low].Y {
				low = to
			}
			if points[to].Y > points[high].Y {
				high = to
			}
		}
		seen := []int{from, min(low, high), max(low, high), to - 1}
		for _, i := range slices.Compact(seen) {
			kept = append(kept, points[i])
		}
		from = to
	}
	return kept
}

// closest is how near two points may be, as a part of an axis: those that would lie
// on each other are drawn once.
const closest = 1.0 / 120

// points are those of a series, and how many are off the axes.
func (d *drawing) points(c *Series) (shown []plot.Plotter, off int) {
	if c.Kind != Points {
		return nil, 0
	}
	var points plotter.XYs
	var lastX, lastY float64
	for i, x := range c.X {
		y := c.Y[i]
		if !(x >= d.X.Min && x <= d.X.Max && y >= d.Y.Min && y <= d.Y.Max) {
			off++
			continue
		}
		nx, ny := d.X.Norm(x), d.Y.Norm(y)
		if len(points) == 0 || i == len(c.X)-1 || math.Hypot(nx-lastX, ny-lastY) >= closest {
			points = append(points, plotter.XY{X: x, Y: y})
			lastX, lastY = nx, ny
		}
	}
	i := max(0, c.Color-1)
	return []plot.Plotter{&plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: c.stroke().Color, Radius: 2, Shape: marks[(i+i/len(palette))%len(marks)]}}}, off
}

// offScale marks the steps that are above the end that the axis was given, nil if there
// are none.
func (d *drawing) offScale() *plotter.Scatter {
	off := plotter.Scatter{GlyphStyle: draw.GlyphStyle{Color: ink, Radius: 4, Shape: draw.PyramidGlyph{}}}
	for _, c := range d.spec.Series {
		for i, y := range c.Y {
			if (c.Kind == Step || c.Kind == Level) && y > d.Y.Max && y <= largest {
				off.XYs = append(off.XYs, plotter.XY{X: (c.X[i] + c.X[i+1]) / 2, Y: d.Y.Max - 0.015*(d.Y.Max-d.Y.Min)})
			}
		}
	}
	if off.XYs == nil {
		return nil
	}
	return &off
}
