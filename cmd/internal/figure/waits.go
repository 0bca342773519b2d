package figure

import (
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Coverage is the share of waits that a bound covered in stretches of time,
// which ascend; NaN of none.
type Coverage struct {
	Name            string
	From, To, Share []float64 // s of the log; [0, 1]
}

// WaitCoverage draws how the coverage of bounds changes over time, beside the
// share that was asked for. at tells the time at a second of the log, nil where
// that is not known. It is an error if there is nothing to draw.
func WaitCoverage(w io.Writer, format, source string, asked float64, all []Coverage, at func(seconds float64) time.Time) error {
	s := newSheet("How many waits bounds cover, over time", source, "time", "share of waits covered")
	s.X.Tick.Marker, s.Y.Tick.Marker = calendar{at}, percents{}
	if at == nil {
		s.xTitle = "days of the log"
	}
	least := asked
	s.X.Min, s.X.Max = math.Inf(1), math.Inf(-1)
	var curves []series
	for _, c := range all {
		if len(c.From) != len(c.To) || len(c.From) != len(c.Share) {
			return fmt.Errorf("figure: %s has %d stretches that begin, %d that end and %d shares", c.Name, len(c.From), len(c.To), len(c.Share))
		}
		curve := coverageSeries(c)
		for _, p := range curve.points {
			if p.Y == p.Y && math.Abs(p.X) <= largest {
				s.X.Min, s.X.Max = min(s.X.Min, p.X), max(s.X.Max, p.X)
				least = min(least, p.Y)
			}
		}
		curves = append(curves, curve)
	}
	if !(s.X.Max > s.X.Min) {
		return fmt.Errorf("figure: no coverage to draw")
	}
	s.Y.Min, s.Y.Max = max(0, math.Floor(20*least-0.2)/20), 1
	s.draw("", grid())
	s.line("asked for", s.X.Min, asked, s.X.Max, asked, 3)
	for i, c := range curves {
		if err := s.addCurve(c, modelStyle(i)); err != nil {
			return err
		}
	}
	return s.write(w, format)
}

// coverageSeries has a point in the middle of each stretch, and breaks where a
// stretch is missing or has no share.
func coverageSeries(c Coverage) series {
	s := series{name: c.Name}
	for i, y := range c.Share {
		if !(y >= 0 && y <= 1) {
			y = math.NaN()
		}
		if i > 0 && c.From[i] > c.To[i-1] {
			s.points = append(s.points, plotter.XY{X: c.From[i], Y: math.NaN()})
		}
		s.points = append(s.points, plotter.XY{X: (c.From[i] + c.To[i]) / 2, Y: y})
	}
	return s
}

// BurstWaits are the waits of the jobs of a burst by submission, s: the actual
// ones, or those that one predictor predicted. NaN where there is none.
type BurstWaits struct {
	Name    string
	Seconds []float64
}

// WaitBurst draws the real waits of the jobs of a burst and the predicted ones,
// over a log axis: figure 5 of Sonmez and others (2009). The first of all are the
// real ones. Waits below a second are drawn at 1 s. It is an error if there is
// nothing to draw, or fewer than two jobs.
func WaitBurst(w io.Writer, format, source string, all []BurstWaits) error {
	s := newSheet("Waits in a burst", source, "job of the burst", "wait")
	s.Y.Scale, s.Y.Tick.Marker = plot.LogScale{}, durations{}
	s.X.Min, s.X.Max, s.Y.Min, s.Y.Max = 1, 1, math.Inf(1), 0
	var curves []series
	for _, b := range all {
		if slices.ContainsFunc(b.Seconds, func(v float64) bool { return v < 1 }) {
			s.yTitle = "wait (below 1 s drawn at 1 s)"
		}
		curve := burstSeries(b)
		for _, p := range curve.points {
			if p.Y <= largest {
				s.X.Max, s.Y.Min, s.Y.Max = max(s.X.Max, p.X), min(s.Y.Min, p.Y), max(s.Y.Max, p.Y)
			}
		}
		curves = append(curves, curve)
	}
	if s.X.Max < 2 {
		return fmt.Errorf("figure: no burst to draw")
	}
	s.Y.Min, s.Y.Max = s.Y.Min/1.5, s.Y.Max*1.5
	s.draw("", grid())
	for i, c := range curves {
		style := dataStyle()
		if i > 0 {
			style = modelStyle(i - 1)
		}
		if err := s.addCurve(c, style); err != nil {
			return err
		}
	}
	return s.write(w, format)
}

// burstSeries counts jobs from one.
func burstSeries(b BurstWaits) series {
	s := series{name: b.Name}
	for i, y := range b.Seconds {
		s.points = append(s.points, plotter.XY{X: float64(i + 1), Y: max(1, y)})
	}
	return s
}
