package figure

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// WaitCell is a square of a scatter plot and how many jobs it has.
type WaitCell struct {
	Predicted, Actual float64 // s, lower left corner, 1 or more
	Jobs              int
}

// WaitColumn is the actual waits of the jobs whose prediction is in a range.
type WaitColumn struct {
	From, To     float64 // s
	Jobs         int
	Mean, Median float64 // s
}

// WaitPoints are predicted and actual waits by the cells of a grid over two log
// axes, which shows as many jobs as there are.
type WaitPoints struct {
	Predictor string
	// What is along X and along Y: "predicted wait", "actual wait".
	Predicted, Actual string
	Side              float64 // of a cell: its end over its beginning, above 1
	// How many times are below a second and so in the cells at 1 s.
	ShortPredicted, ShortActual int
	Cells                       []WaitCell
	Columns                     []WaitColumn // ascending
}

// fewestInColumn is how many jobs a column has to have for its mean and its
// median to be drawn.
const fewestInColumn = 10

// WaitScatter draws actual against predicted waits, darker where there are more
// jobs, with the identity, and with the mean and the median of the actual waits
// in columns of predicted ones: figure 4 of Downey (1997), "Predicting queue
// times on space-sharing parallel computers". The identity is straight but no
// diagonal, for each axis has the range of its times.
//
// Predictions beyond ten times the longest actual wait, or the shortest prediction
// if that is longer, are left out and counted in the line below the title. It is
// an error if there is nothing to draw.
func WaitScatter(w io.Writer, format, source string, p WaitPoints) error {
	if !(p.Side > 1) || math.IsInf(p.Side, 1) {
		return fmt.Errorf("figure: cells of side %g, want more than 1", p.Side)
	}
	x, y, err := p.ranges()
	if err != nil {
		return err
	}
	shown := cells{side: p.Side}
	off := 0
	for _, c := range p.Cells {
		if c.Predicted >= x[1]*(1-1e-9) {
			off += c.Jobs
			continue
		}
		shown.all = append(shown.all, c)
		shown.most = max(shown.most, c.Jobs)
	}
	if off > 0 {
		source += fmt.Sprintf("; %d are off the chart", off)
	}
	title := "Predicted and actual waits: "
	if strings.HasPrefix(p.Predicted, "bound") {
		title = "Bounds and actual waits: "
	}
	s := newSheet(title+p.Predictor, source, p.Predicted+atASecond(p.ShortPredicted), p.Actual+atASecond(p.ShortActual))
	s.width, s.height = square, square
	s.X.Scale, s.Y.Scale = plot.LogScale{}, plot.LogScale{}
	s.X.Tick.Marker, s.Y.Tick.Marker = durations{}, durations{}
	s.X.Min, s.X.Max, s.Y.Min, s.Y.Max = x[0], x[1], y[0], y[1]
	s.draw("", grid(), shown)
	s.draw("1 job", shade(shown.color(1)))
	if shown.most > 1 {
		s.draw(fmt.Sprintf("%d jobs", shown.most), shade(shown.color(shown.most)))
	}
	if from, to := max(x[0], y[0]), min(x[1], y[1]); to > from {
		s.line("identity", from, from, to, to, 1)
	}
	for i, c := range p.columnSeries() {
		style := modelStyle(i)
		style.Width = 2
		if len(c.points) > 0 {
			if err := s.addCurve(c, style); err != nil {
				return err
			}
		}
	}
	return s.write(w, format)
}

// atASecond says how many times are drawn at 1 s.
func atASecond(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d below 1 s, drawn at 1 s)", n)
}

// ranges are those of the axes, s.
func (p WaitPoints) ranges() (x, y [2]float64, err error) {
	x, y = [2]float64{math.Inf(1), 0}, [2]float64{math.Inf(1), 0}
	extend := func(r *[2]float64, from float64) {
		r[0], r[1] = min(r[0], from), max(r[1], from*p.Side)
	}
	for _, c := range p.Cells {
		if !(c.Predicted >= 1 && c.Predicted <= largest/p.Side && c.Actual >= 1 && c.Actual <= largest/p.Side && c.Jobs > 0) {
			return x, y, fmt.Errorf("figure: %d jobs at %g s, %g s, want some, at 1 s or more", c.Jobs, c.Predicted, c.Actual)
		}
		extend(&y, c.Actual)
		extend(&x, c.Predicted)
	}
	if len(p.Cells) == 0 {
		return x, y, fmt.Errorf("figure: %s: no predictions to draw", p.Predictor)
	}
	limit := 10 * max(y[1], x[0])
	x[1] = 0
	for _, c := range p.Cells {
		if c.Predicted <= limit {
			extend(&x, c.Predicted)
		}
	}
	// An axis has a decade at least.
	for _, r := range []*[2]float64{&x, &y} {
		if f := math.Sqrt(10 * r[0] / r[1]); f > 1 {
			r[0], r[1] = r[0]/f, r[1]*f
		}
	}
	return x, y, nil
}

// columnSeries are the lines of the means and the medians, at the middle of each
// column, broken at columns of few jobs. Below 1 s they are at 1 s.
func (p WaitPoints) columnSeries() [2]series {
	lines := [2]series{{name: "mean"}, {name: "median"}}
	some := false
	for i, c := range p.Columns {
		x := math.Sqrt(c.From) * math.Sqrt(c.To)
		mean, median := max(1, c.Mean), max(1, c.Median)
		if c.Jobs < fewestInColumn {
			mean, median = math.NaN(), math.NaN()
		} else {
			some = true
		}
		if i > 0 && c.From > p.Columns[i-1].To*(1+1e-9) {
			for k := range lines {
				lines[k].points = append(lines[k].points, plotter.XY{X: x, Y: math.NaN()})
			}
		}
		lines[0].points = append(lines[0].points, plotter.XY{X: x, Y: mean})
		lines[1].points = append(lines[1].points, plotter.XY{X: x, Y: median})
	}
	if !some {
		return [2]series{}
	}
	return lines
}

// cells are squares of a grid over two log axes.
type cells struct {
	side float64
	most int
	all  []WaitCell
}

// color is from light for one job to dark for the most, by the logarithm.
func (c cells) color(jobs int) color.Color {
	f := 0.0
	if c.most > 1 {
		f = math.Log(float64(jobs)) / math.Log(float64(c.most))
	}
	between := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + f*(float64(b)-float64(a)))) }
	return color.RGBA{between(0xd2, 0x33), between(0xd2, 0x33), between(0xd2, 0x33), 0xff}
}

// Plot implements plot.Plotter.
func (c cells) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	for _, k := range c.all {
		a, b := x(k.Predicted), x(min(k.Predicted*c.side, p.X.Max))
		low, top := y(k.Actual), y(min(k.Actual*c.side, p.Y.Max))
		canvas.FillPolygon(c.color(k.Jobs), []vg.Point{{X: a, Y: low}, {X: b, Y: low}, {X: b, Y: top}, {X: a, Y: top}})
	}
}

// shade is an entry of the legend without a plot of its own.
func shade(c color.Color) plot.Plotter { return bars{fill: c} }

var _ plot.Plotter = cells{}
