package figure

import (
	"fmt"
	"io"
	"math"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Loss is the mean pinball loss of one predictor's bounds in stretches of time,
// which ascend, and over all.
type Loss struct {
	Name           string
	From, To, Mean []float64 // s
	Whole          float64   // s
}

// WaitLoss draws how the loss of bounds changes over time, over a log axis; the
// legend has that of all jobs. Losses below a second are drawn at 1 s. at tells
// the time at a second of the log, nil where that is not known. It is an error if
// there is nothing to draw.
func WaitLoss(w io.Writer, format, source string, all []Loss, at func(seconds float64) time.Time) error {
	s := newSheet("How much bounds of the wait lose, over time", source, "time", "mean pinball loss")
	s.X.Tick.Marker = calendar{at}
	s.Y.Scale, s.Y.Tick.Marker = plot.LogScale{}, durations{}
	if at == nil {
		s.xTitle = "days of the log"
	}
	s.X.Min, s.X.Max, s.Y.Min, s.Y.Max = math.Inf(1), math.Inf(-1), math.Inf(1), 0
	var curves []series
	for _, l := range all {
		if len(l.From) != len(l.To) || len(l.From) != len(l.Mean) {
			return fmt.Errorf("figure: %s has %d stretches that begin, %d that end and %d losses", l.Name, len(l.From), len(l.To), len(l.Mean))
		}
		curve := series{name: fmt.Sprintf("%s, %.3g min in all", l.Name, l.Whole/60)}
		for i, y := range l.Mean {
			x := (l.From[i] + l.To[i]) / 2
			if !(y >= 0 && y <= largest) || !(math.Abs(x) <= largest) {
				continue
			}
			if y < 1 {
				s.yTitle = "mean pinball loss (below 1 s drawn at 1 s)"
			}
			y = max(1, y)
			curve.points = append(curve.points, plotter.XY{X: x, Y: y})
			s.X.Min, s.X.Max = min(s.X.Min, x), max(s.X.Max, x)
			s.Y.Min, s.Y.Max = min(s.Y.Min, y), max(s.Y.Max, y)
		}
		curves = append(curves, curve)
	}
	if !(s.X.Max > s.X.Min) {
		return fmt.Errorf("figure: no loss to draw")
	}
	s.Y.Min, s.Y.Max = s.Y.Min/1.5, s.Y.Max*1.5
	s.draw("", grid())
	for i, c := range curves {
		if err := s.addCurve(c, modelStyle(i)); err != nil {
			return err
		}
	}
	return s.write(w, format)
}
