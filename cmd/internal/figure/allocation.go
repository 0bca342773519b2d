package figure

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Path is a line through points, by ascending X.
type Path struct {
	Name string
	X, Y []float64
}

func (c Path) series() (series, error) {
	s := series{name: c.Name}
	if len(c.X) != len(c.Y) || len(c.X) == 0 {
		return s, fmt.Errorf("figure: %s: %d numbers along the axis and %d above it", c.Name, len(c.X), len(c.Y))
	}
	for i, x := range c.X {
		s.points = append(s.points, plotter.XY{X: x, Y: c.Y[i]})
	}
	return s, nil
}

// lines draws curves, with Y from 0 where zero says so, and bars of intervals.
func (s *sheet) lines(w io.Writer, format string, all []Path, zero bool, bars ...intervalBars) error {
	if len(all) == 0 {
		return fmt.Errorf("figure: no curves to draw")
	}
	var ready []series
	x, y := span{}, span{}
	for _, c := range all {
		r, err := c.series()
		if err != nil {
			return err
		}
		for _, p := range r.points {
			if onAxis(s.X, p.X) && onAxis(s.Y, p.Y) {
				x.add(p.X)
				y.add(p.Y)
			}
		}
		ready = append(ready, r)
	}
	for _, b := range bars {
		for _, v := range b.all {
			y.add(v.low)
			y.add(v.top)
		}
	}
	if zero {
		y.add(0)
	}
	s.X.Min, s.X.Max = x.low, x.wide()
	s.Y.Min, s.Y.Max = y.low, y.wide()
	if len(bars) > 0 { // the outermost stand free of the frame
		besideX, besideY := 0.02*(s.X.Max-s.X.Min), 0.03*(s.Y.Max-s.Y.Min)
		s.X.Min, s.X.Max = s.X.Min-besideX, s.X.Max+besideX
		s.Y.Min, s.Y.Max = s.Y.Min-besideY, s.Y.Max+besideY
	}
	s.draw("", grid())
	for i, r := range ready {
		if err := s.addCurve(r, modelStyle(i)); err != nil {
			return err
		}
	}
	for _, b := range bars {
		s.draw("", b)
	}
	return s.write(w, format)
}

// span is the range of some numbers.
type span struct {
	low, high float64
	some      bool
}

func (s *span) add(v float64) {
	if !s.some {
		*s = span{v, v, true}
	}
	s.low, s.high = min(s.low, v), max(s.high, v)
}

// wide is the upper end, above the lower one.
func (s span) wide() float64 {
	if s.high > s.low {
		return s.high
	}
	return s.low + max(1, math.Abs(s.low))
}

// ParallelismProfiles draws how many processors jobs could use over their
// duration: figure 1 of Downey (1997, allocation). It is an error if there is
// nothing to draw.
func ParallelismProfiles(w io.Writer, format, source string, all []Path) error {
	s := newSheet("How many processors a job could use", source, "time, on as many processors as it can use", "processors")
	return s.lines(w, format, all, true)
}

// SpeedupCurves draws speedup against the number of processors: figure 2 of
// Downey (1997, allocation). It is an error if there is nothing to draw.
func SpeedupCurves(w io.Writer, format, source string, all []Path) error {
	s := newSheet("How much faster jobs run on more processors", source, "processors", "speedup")
	return s.lines(w, format, all, true)
}

// AllocatedJobs draws how a quantity of jobs that chose their sizes is
// distributed, with the distribution of what they brought: figures 3 and 4 of
// Downey (1997, allocation). The error is Distribution's.
func AllocatedJobs(w io.Writer, format, source string, q Quantity, name string, s Sample, brought Law) error {
	return distribution(w, format, source, q, name, s, []Law{brought})
}

// Waits are predicted and actual times at the head of a queue, in s.
type Waits struct{ Predicted, Actual []float64 }

// drawnWaits is how many points of a scatter plot are drawn.
const drawnWaits = 3000

// waitColumns is how many columns per factor of ten the means and medians are of.
const waitColumns = 4

// PredictedWaits draws actual against predicted times on log axes, with the
// identity and each column's mean and median: figure 5 of Downey (1997,
// allocation). by names what predicted, for the title. Of many points every so manyth is drawn; means and medians are
// of all. It is an error if no point has two positive numbers.
func PredictedWaits(w io.Writer, format, source, by string, waits Waits) error {
	if len(waits.Predicted) != len(waits.Actual) {
		return fmt.Errorf("figure: %d predicted and %d actual times", len(waits.Predicted), len(waits.Actual))
	}
	s := newSheet("Times until processors are free, predicted by "+by, source, "predicted", "actual")
	s.width, s.height = square, square
	s.X.Scale, s.Y.Scale = plot.LogScale{}, plot.LogScale{}
	s.X.Tick.Marker, s.Y.Tick.Marker = durations{}, durations{}
	var points plotter.XYs
	both := span{}
	columns := map[int][]float64{}
	for i, p := range waits.Predicted {
		a := waits.Actual[i]
		if !onAxis(s.X, p) || !onAxis(s.Y, a) {
			continue
		}
		points = append(points, plotter.XY{X: p, Y: a})
		both.add(p)
		both.add(a)
		k := int(math.Floor(waitColumns * math.Log10(p)))
		columns[k] = append(columns[k], a)
	}
	if len(points) == 0 {
		return fmt.Errorf("figure: none of %d predictions has two times above 0", len(waits.Predicted))
	}
	if both.high == both.low {
		both.high *= 2
	}
	s.X.Min, s.X.Max, s.Y.Min, s.Y.Max = both.low, both.high, both.low, both.high
	s.draw("", grid())
	step := (len(points) + drawnWaits - 1) / drawnWaits
	var some plotter.XYs
	for i := 0; i < len(points); i += step {
		some = append(some, points[i])
	}
	name := "decisions"
	if step > 1 {
		name = fmt.Sprintf("decisions, one in %d", step)
	}
	s.draw(name, &plotter.Scatter{XYs: some, GlyphStyle: draw.GlyphStyle{Color: color.RGBA{0x99, 0x99, 0x99, 0xff}, Radius: 0.8, Shape: draw.CircleGlyph{}}})
	if err := s.addCurve(series{"as predicted", plotter.XYs{{X: both.low, Y: both.low}, {X: both.high, Y: both.high}}}, draw.LineStyle{Color: ink, Width: 1}); err != nil {
		return err
	}
	mean, median := columnLines(columns)
	if err := s.addCurve(mean, modelStyle(0)); err != nil {
		return err
	}
	if err := s.addCurve(median, modelStyle(1)); err != nil {
		return err
	}
	return s.write(w, format)
}

// columnLines are the mean and the median of each column at its middle.
func columnLines(columns map[int][]float64) (mean, median series) {
	mean.name, median.name = "mean of a column", "median"
	var order []int
	for k := range columns {
		order = append(order, k)
	}
	slices.Sort(order)
	for _, k := range order {
		values := columns[k]
		slices.Sort(values)
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		n := len(values)
		x := math.Pow(10, (float64(k)+0.5)/waitColumns)
		mean.points = append(mean.points, plotter.XY{X: x, Y: sum / float64(n)})
		median.points = append(median.points, plotter.XY{X: x, Y: (values[(n-1)/2] + values[n/2]) / 2})
	}
	return mean, median
}
