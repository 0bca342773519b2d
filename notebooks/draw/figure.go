package draw

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Axis is one of a figure's two axes. Its title says the unit.
type Axis struct {
	Title string
	Ticks plot.Ticker // nil: round numbers, of a log axis powers of ten; or Durations, Doubling, Percents, Names
	Log   bool        // what is not positive is then not drawn
	// Min and Max are what the axis spans at least; where both are 0, the data.
	Min, Max float64
}

// Kind is how a series is drawn.
type Kind int

// The kinds of series.
const (
	Line   Kind = iota // through the points, in their order
	Steps              // a line that keeps its height up to the next point
	Points             // marks
	Marked             // a line with marks on it
)

// Series is points of one colour. A line breaks where X or Y is NaN or cannot
// stand on its axis.
type Series struct {
	// Name is the entry in the legend. A series without one belongs to the one
	// before, and is drawn as that is: the other end of an interval.
	Name string
	Kind Kind
	X, Y []float64
	// Data says that it is what was observed, not a model of it: a grey and wide
	// line.
	Data bool
}

// Figure is a picture of some series over two axes.
type Figure struct {
	Title, Source string
	X, Y          Axis
	Series        []Series
}

// SVG draws the figure. The same numbers give the same bytes.
func (f Figure) SVG() (string, error) {
	p := newPlot()
	page := page{figure: f, plot: p}
	drawn := 0
	models := 0 // the data's line takes no colour from the others
	var l draw.LineStyle
	var m draw.GlyphStyle
	for _, s := range f.Series {
		if len(s.X) != len(s.Y) {
			return "", fmt.Errorf("draw: series %q has %d values of x and %d of y", s.Name, len(s.X), len(s.Y))
		}
		if s.Name != "" || page.keys == nil {
			l, m = styles(models, s.Data)
			if !s.Data {
				models++
			}
		}
		var thumbs []plot.Thumbnailer
		for _, run := range f.runs(s) {
			drawn++
			thumbs = thumbs[:0]
			if s.Kind != Points {
				line, err := plotter.NewLine(run)
				if err != nil {
					return "", fmt.Errorf("draw: series %q: %w", s.Name, err)
				}
				line.LineStyle = l
				if s.Kind == Steps {
					line.StepStyle = plotter.PostStep
				}
				p.Add(line)
				thumbs = append(thumbs, line)
			}
			if s.Kind == Points || s.Kind == Marked {
				points, err := plotter.NewScatter(run)
				if err != nil {
					return "", fmt.Errorf("draw: series %q: %w", s.Name, err)
				}
				points.GlyphStyle = m
				p.Add(points)
				thumbs = append(thumbs, points)
			}
		}
		if s.Name != "" && len(thumbs) > 0 {
			page.keys = append(page.keys, key{name: s.Name, thumbs: append([]plot.Thumbnailer(nil), thumbs...)})
		}
	}
	if drawn == 0 {
		return "", fmt.Errorf("draw: %q: nothing to draw", f.Title)
	}
	f.X.set(&p.X)
	f.Y.set(&p.Y)
	return page.svg()
}

// runs are the stretches of a series that can be drawn.
func (f Figure) runs(s Series) []plotter.XYs {
	var all []plotter.XYs
	broken := true
	for i := range s.X {
		if !f.X.holds(s.X[i]) || !f.Y.holds(s.Y[i]) {
			broken = true
			continue
		}
		if broken {
			all = append(all, nil)
			broken = false
		}
		last := &all[len(all)-1]
		*last = append(*last, plotter.XY{X: s.X[i], Y: s.Y[i]})
	}
	return all
}

// holds says whether a number can stand on the axis.
func (a Axis) holds(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!a.Log || v > 0)
}

// set brings the axis into a plot that knows the range of its data.
func (a Axis) set(to *plot.Axis) {
	if a.Min != 0 || a.Max != 0 {
		to.Min, to.Max = min(to.Min, a.Min), max(to.Max, a.Max)
	}
	if a.Log {
		to.Scale = plot.LogScale{}
		to.Tick.Marker = decades{}
		if to.Min == to.Max {
			to.Min, to.Max = to.Min/2, to.Max*2
		}
	} else if to.Min == to.Max {
		to.Min, to.Max = to.Min-1, to.Max+1
	}
	if a.Ticks != nil {
		to.Tick.Marker = a.Ticks
	}
}
