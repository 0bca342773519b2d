package figure

import (
	"fmt"
	"io"
	"math"
	"time"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Loads are the offered loads of stretches of Width seconds, the first of which
// begins at Start; NaN of none.
type Loads struct {
	Start, Width float64 // s, of the log
	Load         []float64
}

// OfferedLoad draws the offered load, work over what the machine could do, over
// time. at tells the time at a second of the log, nil where that is not known.
// It is an error if there is nothing to draw.
func OfferedLoad(w io.Writer, format, source string, l Loads, at func(seconds float64) time.Time) error {
	s := newSheet("How much work arrives", source, "time", "offered load")
	s.X.Tick.Marker = calendar{at}
	if at == nil {
		s.xTitle = "days since the log began"
	}
	points, top := l.series()
	if !(top > 0) {
		return fmt.Errorf("figure: no offered load to draw")
	}
	s.X.Min, s.X.Max = points[0].X, points[len(points)-1].X
	s.Y.Min, s.Y.Max = 0, 1.04*top
	s.draw("", grid())
	if err := s.addCurve(series{points: points}, draw.LineStyle{Color: palette[0], Width: 0.8}); err != nil {
		return err
	}
	if top > 1 {
		full := series{"as much as the machine can do", plotter.XYs{{X: s.X.Min, Y: 1}, {X: s.X.Max, Y: 1}}}
		if err := s.addCurve(full, modelStyle(1)); err != nil {
			return err
		}
	}
	return s.write(w, format)
}

// series has a step for each stretch, and the highest load.
func (l Loads) series() (points plotter.XYs, top float64) {
	for i, v := range l.Load {
		from := l.Start + float64(i)*l.Width
		if !(math.Abs(v) <= largest) {
			v = math.NaN()
		}
		top = max(top, finite(v))
		points = append(points, plotter.XY{X: from, Y: v}, plotter.XY{X: from + l.Width, Y: v})
	}
	return points, top
}

// finite is v, and 0 where it is none.
func finite(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}
