package figure

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"regexp"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Accuracies are one predictor's mean accuracies under several ways of classing
// jobs, with their intervals. What there is none of is NaN.
type Accuracies struct {
	Name            string
	Mean, Low, High []float64 // in [0, 1]; one a group
}

// RunTimeAccuracies draws mean accuracies of run time predictions as bars side
// by side, in a group for each way of classing: figure 2 of Sonmez and others
// (2009) for one log, with intervals as whiskers. Below the groups stands what
// they are: "classes of jobs".
//
// It is an error if there is nothing to draw, or if a predictor has other than
// one number a group.
func RunTimeAccuracies(w io.Writer, format, source, classes string, groups []string, all []Accuracies) error {
	s := newSheet("How accurately run times are predicted", source, classes, "mean accuracy")
	some := false
	for i, a := range all {
		if len(a.Mean) != len(groups) || len(a.Low) != len(groups) || len(a.High) != len(groups) {
			return fmt.Errorf("figure: %s has %d accuracies, want %d", a.Name, len(a.Mean), len(groups))
		}
		b, k := accuracyBars(i, len(all), a)
		s.X.Min, s.X.Max, s.Y.Min, s.Y.Max = 0, float64(len(groups)), 0, 1
		if i == 0 {
			s.draw("", horizontals())
		}
		some = some || len(b.all) > 0
		s.draw(a.Name, b)
		s.draw("", k)
	}
	if !some {
		return fmt.Errorf("figure: no accuracies to draw")
	}
	s.X.Tick.Marker, s.X.Tick.Length = categories(groups), 0
	return s.write(w, format)
}

// accuracyBars are the bars and whiskers of the i-th of n predictors: a group
// takes four fifths of its place.
func accuracyBars(i, n int, a Accuracies) (bars, whiskers) {
	b := bars{fill: barColor(i), gap: 1}
	var k whiskers
	width := 0.8 / float64(n)
	for g, mean := range a.Mean {
		if math.IsNaN(mean) {
			continue
		}
		from := float64(g) + 0.1 + width*float64(i)
		b.all = append(b.all, bar{from: from, to: from + width, top: mean})
		if !math.IsNaN(a.Low[g]) && !math.IsNaN(a.High[g]) {
			k = append(k, bar{from: from + width/2, low: a.Low[g], top: a.High[g]})
		}
	}
	return b, k
}

// barColor is the palette's, and halfway to white in a second round.
func barColor(i int) color.Color {
	c := palette[i%len(palette)].(color.RGBA)
	if i/len(palette)%2 == 1 {
		half := func(v uint8) uint8 { return uint8((int(v) + 0xff) / 2) }
		c.R, c.G, c.B = half(c.R), half(c.G), half(c.B)
	}
	return c
}

// whiskers are vertical lines from low to top.
type whiskers []bar

// Plot implements plot.Plotter.
func (k whiskers) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, b := range k {
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: 0.8}, x(b.from), y(b.low), x(b.from), y(b.top))
	}
}

// categories are ticks for an axis of names: one in the middle of each unit.
// A name may have several lines.
type categories []string

// within breaks the names that are wider than their place behind a hyphen or a
// comma, and cuts what is still wider.
func (c categories) within(width vg.Length) categories {
	var all categories
	for _, name := range c {
		var lines []string
		line := ""
		for _, part := range breakable.FindAllString(name, -1) {
			if line != "" && textWidth(line+part, tickSize) > width {
				lines, line = append(lines, line), ""
			}
			line += part
		}
		lines = append(lines, line)
		for i, l := range lines {
			lines[i] = fitting(l, tickSize, width)
		}
		all = append(all, strings.Join(lines, "\n"))
	}
	return all
}

// breakable is what no line ends in.
var breakable = regexp.MustCompile(`[^-, ]*[-, ]*`)

// Ticks implements plot.Ticker.
func (c categories) Ticks(_, _ float64) []plot.Tick {
	var ticks []plot.Tick
	for i, name := range c {
		ticks = append(ticks, plot.Tick{Value: float64(i) + 0.5, Label: name})
	}
	return ticks
}

// Shares are points of a distribution function.
type Shares struct {
	Name          string
	Value, AtMost []float64 // ascending
}

// RunTimeAccuracyShares draws distribution functions of the accuracy of run time
// predictions: figure 3 of Sonmez and others (2009), above. It is an error if
// there is nothing to draw.
func RunTimeAccuracyShares(w io.Writer, format, source string, all []Shares) error {
	return accuracyShares(w, format, "How the accuracy of predictions is distributed", source, all)
}

// RunTimeErrorShares draws distribution functions of the absolute error of run
// time predictions, in s, from 1 s over a log axis: figure 3 of Sonmez and
// others (2009), below. It is an error if there is nothing to draw.
func RunTimeErrorShares(w io.Writer, format, source string, all []Shares) error {
	return errorShares(w, format, "How far predictions of run times are off", source, all)
}

// WaitAccuracyShares draws distribution functions of the accuracy of predicted
// waits: figure 4 of Sonmez and others (2009), above. It is an error if there is
// nothing to draw.
func WaitAccuracyShares(w io.Writer, format, source string, all []Shares) error {
	return accuracyShares(w, format, "How the accuracy of predicted waits is distributed", source, all)
}

// WaitErrorShares draws distribution functions of the absolute error of predicted
// waits, in s, from 1 s over a log axis: figure 4 of Sonmez and others (2009),
// below. It is an error if there is nothing to draw.
func WaitErrorShares(w io.Writer, format, source string, all []Shares) error {
	return errorShares(w, format, "How far predicted waits are off", source, all)
}

// accuracyShares draws distribution functions of accuracies.
func accuracyShares(w io.Writer, format, title, source string, all []Shares) error {
	s := newSheet(title, source, "accuracy", "share of predictions up to it")
	s.X.Min, s.X.Max = 0, 1
	return s.shares(w, format, all)
}

// errorShares draws distribution functions of absolute errors, in s.
func errorShares(w io.Writer, format, title, source string, all []Shares) error {
	s := newSheet(title, source, "absolute error", "share of predictions up to it")
	s.X.Scale, s.X.Tick.Marker = plot.LogScale{}, durations{}
	s.X.Min, s.X.Max = 1, 10
	for _, c := range all {
		for i, v := range c.Value[:min(len(c.Value), len(c.AtMost))] {
			if c.AtMost[i] > 0 && v <= largest {
				s.X.Max = max(s.X.Max, v)
			}
		}
	}
	return s.shares(w, format, all)
}

func (s *sheet) shares(w io.Writer, format string, all []Shares) error {
	if len(all) == 0 {
		return fmt.Errorf("figure: no predictions to draw")
	}
	s.Y.Min, s.Y.Max = 0, 1
	s.Y.Tick.Marker = percents{}
	s.draw("", grid())
	for i, c := range all {
		if len(c.Value) != len(c.AtMost) {
			return fmt.Errorf("figure: %s has %d values and %d shares", c.Name, len(c.Value), len(c.AtMost))
		}
		curve := series{name: c.Name}
		for j, v := range c.Value {
			curve.points = append(curve.points, plotter.XY{X: v, Y: c.AtMost[j]})
		}
		if err := s.addCurve(curve, modelStyle(i)); err != nil {
			return err
		}
	}
	return s.write(w, format)
}

var (
	_ plot.Plotter = whiskers{}
	_ plot.Ticker  = categories{}
)
