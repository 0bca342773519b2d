package figure

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/loadstone-hpc/loadstone/score"
)

// band is the area between two curves.
type band struct {
	x, low, high []float64
	fill         color.Color
}

// Plot implements plot.Plotter.
func (b band) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var area []vg.Point
	for i := range b.x {
		area = append(area, vg.Point{X: x(b.x[i]), Y: y(b.low[i])})
	}
	for i := len(b.x) - 1; i >= 0; i-- {
		area = append(area, vg.Point{X: x(b.x[i]), Y: y(b.high[i])})
	}
	if len(area) > 0 {
		c.FillPolygon(b.fill, c.ClipPolygonXY(area))
	}
}

// Thumbnail implements plot.Thumbnailer.
func (b band) Thumbnail(c *draw.Canvas) { bars{fill: b.fill}.Thumbnail(c) }

var (
	_ plot.Plotter     = band{}
	_ plot.Thumbnailer = band{}
)

// curveWords are how a figure speaks of a curve of score.CompareCurves.
var curveWords = map[string]struct {
	title, x, y string
	ticks       plot.Ticker // of a log axis; nil of days
	shares      bool        // Y is of shares
}{
	score.LoadByDay:   {"How much work arrives each day", "days since the first submission", "offered load", nil, false},
	score.QueuedByDay: {"How long the queue is", "days since the first submission", "waiting jobs, mean of the day", nil, false},
	score.WaitsUpTo:   {"How long jobs wait", "wait", "share of jobs that wait no longer", durations{}, true},
	score.JobsByUser:  {"How active users are", "jobs of a user", "share of users with as many jobs or more", decades{}, true},
}

// decades are ticks at the powers of ten of a log axis of counts.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for v := 1.0; v <= high; v *= 10 {
		if v >= low {
			ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%.0f", v)})
		}
	}
	if len(ticks) < 2 {
		return twoTicks(low, high, "")
	}
	return ticks
}

// Twins draws a curve of a log over the band of its twins: from the 5 to the 95 %
// quantile, with the median over a log axis; one twin is a line.
//
// It is an error if there is nothing to draw.
func Twins(w io.Writer, format, source, name string, c score.Curve) error {
	words, ok := curveWords[c.Name]
	if !ok {
		return fmt.Errorf("figure: no curve is called %q", c.Name)
	}
	d, err := twinSeries(c, words.ticks == nil)
	if err != nil {
		return err
	}
	s := newSheet(words.title, source, words.x, words.y)
	s.X.Min, s.X.Max = d.from, d.to
	if words.ticks != nil {
		s.X.Scale, s.X.Tick.Marker = plot.LogScale{}, words.ticks
	}
	s.Y.Min, s.Y.Max = 0, 1.04*d.top
	if words.shares {
		s.Y.Max, s.Y.Tick.Marker = 1, percents{}
	}
	s.draw("", grid())
	if c.Twins > 1 {
		d.area.fill = light
		s.draw(fmt.Sprintf("5 to 95 %% of %d twins", c.Twins), d.area)
	}
	var lines []series
	switch {
	case c.Twins == 1:
		lines = []series{{"its twin", d.middle}}
	case words.ticks != nil: // by day it would hide the band
		lines = []series{{"median of its twins", d.middle}}
	}
	for _, l := range lines {
		if err := s.addCurve(l, modelStyle(1)); err != nil {
			return err
		}
	}
	if err := s.addCurve(series{name, d.log}, draw.LineStyle{Color: palette[0], Width: 1}); err != nil {
		return err
	}
	return s.write(w, format)
}

// twinDrawn is what Twins draws.
type twinDrawn struct {
	log, middle   plotter.XYs
	area          band
	from, to, top float64
}

// twinSeries are the lines and the band. Those by day have a step for each; those
// over a log axis are cut where nothing of them changes any more.
func twinSeries(c score.Curve, byDay bool) (twinDrawn, error) {
	var d twinDrawn
	add := func(x float64, i int) {
		d.log = append(d.log, plotter.XY{X: x, Y: c.A[i]})
		d.middle = append(d.middle, plotter.XY{X: x, Y: c.Middle[i]})
		if !math.IsNaN(c.Low[i]) {
			d.area.x, d.area.low, d.area.high = append(d.area.x, x), append(d.area.low, c.Low[i]), append(d.area.high, c.High[i])
		}
		d.top = max(d.top, finite(c.A[i]), finite(c.High[i]))
		d.to = x
	}
	if len(c.X) == 0 {
		return d, fmt.Errorf("figure: a curve without points: nothing to draw")
	}
	d.from = c.X[0]
	last := len(c.X) - 1
	if !byDay {
		settled := func(i int) bool {
			return c.A[i] == c.A[i-1] && c.Low[i] == c.Low[i-1] && c.High[i] == c.High[i-1]
		}
		for last > 1 && settled(last) {
			last--
		}
	}
	for i := range c.X[:last+1] {
		add(c.X[i], i)
		if byDay {
			add(c.X[i]+1, i)
		}
	}
	if !(d.top > 0) {
		return d, fmt.Errorf("figure: %s is nothing but 0: nothing to draw", c.Name)
	}
	return d, nil
}
