package figure

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Bands draws means of a quantity against a parameter, one curve each, with the intervals of the
// means as bands. The axis of the quantity is logarithmic where the means span more than
// a factor of bandDecades. It is an error if there is nothing to draw.
func Bands(w io.Writer, format, title, source, parameter, quantity string, ticks plot.Ticker, all []Trend) error {
	s := newSheet(title, source, parameter, quantity)
	x, y, ends := span{}, span{}, span{}
	for _, t := range all {
		if len(t.Y) != len(t.X) || len(t.Low) != len(t.X) || len(t.High) != len(t.X) {
			return fmt.Errorf("figure: %s: %d numbers along the axis, %d means, and intervals with %d lower and %d upper ends", t.Name, len(t.X), len(t.Y), len(t.Low), len(t.High))
		}
		for i := range t.X {
			if onAxis(s.X, t.X[i]) && onAxis(s.Y, t.Y[i]) {
				x.add(t.X[i])
				y.add(t.Y[i])
				for _, end := range []float64{t.Low[i], t.High[i]} {
					if onAxis(s.Y, end) {
						ends.add(end)
					}
				}
			}
		}
	}
	if !y.some || !(x.high > x.low) {
		return fmt.Errorf("figure: fewer than two numbers along the axis have a mean")
	}
	s.X.Min, s.X.Max, s.Y.Min, s.Y.Max = x.low, x.high, min(0, y.low), max(y.wide(), ends.high)
	if y.low > 0 && y.high > bandDecades*y.low {
		s.Y.Scale = plot.LogScale{}
		s.Y.Min = y.low / 1.5
	} else if _, times := ticks.(durations); times {
		ticks = linearDurations{}
	} else if _, log := ticks.(tens); log {
		ticks = nil
	}
	if ticks != nil {
		s.Y.Tick.Marker = ticks
	}
	s.draw("", grid())
	for i, t := range all {
		if band := bandOf(t, s.Y.Min); band != nil {
			r, g, b, _ := modelStyle(i).Color.RGBA()
			const opacity = 0x30
			s.draw("", &plotter.Polygon{XYs: []plotter.XYs{band}, Color: color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), opacity}})
		}
	}
	for i, t := range all {
		c, err := t.series()
		if err != nil {
			return err
		}
		if err := s.addCurve(c, modelStyle(i)); err != nil {
			return err
		}
	}
	return s.write(w, format)
}

// bandDecades is the factor from which on an axis is logarithmic.
const bandDecades = 20

// bandOf is the outline of a band above least, nil where there are fewer than two intervals.
func bandOf(t Trend, least float64) plotter.XYs {
	var there, back plotter.XYs
	for i, x := range t.X {
		low, high := t.Low[i], t.High[i]
		if math.IsNaN(x) || !(math.Abs(low) <= largest) || !(math.Abs(high) <= largest) {
			continue
		}
		there = append(there, plotter.XY{X: x, Y: max(low, least)})
		back = append(back, plotter.XY{X: x, Y: max(high, least)})
	}
	if len(there) < 2 {
		return nil
	}
	for i := len(back) - 1; i >= 0; i-- {
		there = append(there, back[i])
	}
	return there
}

// linearDurations are ticks for a linear axis of seconds.
type linearDurations struct{}

// Ticks implements plot.Ticker.
func (linearDurations) Ticks(low, high float64) []plot.Tick {
	unit, name := 1.0, " s"
	for _, u := range []struct {
		seconds float64
		name    string
	}{{60, " min"}, {3600, " h"}, {86400, " d"}} {
		if high >= 2*u.seconds {
			unit, name = u.seconds, u.name
		}
	}
	ticks := round{}.Ticks(low/unit, high/unit)
	for i := range ticks {
		ticks[i].Value *= unit
		if ticks[i].Label != "" {
			ticks[i].Label += name
		}
	}
	return ticks
}
