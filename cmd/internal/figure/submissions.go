package figure

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Counts are the highest counts of events per five minutes in stretches of
// Width seconds, the first of which begins at Start.
type Counts struct {
	Start, Width float64 // s, of the log
	Max          []float64
}

// fiveMinutes is the interval whose events Counts count, in seconds.
const fiveMinutes = 300

// Submissions draws how many jobs were submitted in five minutes, over time:
// figure 1 of Sonmez and others (2009), without its cut at 1000. Where a
// stretch is longer than five minutes its highest count is drawn. at tells the
// time at a second of the log, nil where that is not known.
func Submissions(w io.Writer, format, source string, counts Counts, at func(seconds float64) time.Time) error {
	points := submissionSeries(counts)
	if len(points) == 0 {
		return fmt.Errorf("figure: no submission to draw")
	}
	y := "jobs submitted in five minutes"
	if counts.Width > fiveMinutes {
		y += ",\nthe busiest of each " + stretch(counts.Width)
	}
	p := newSheet("How jobs arrive", source, "time", y)
	p.X.Tick.Marker = calendar{at}
	if at == nil {
		p.xTitle = "days since the log began"
	}
	p.X.Min, p.X.Max = points[0].X, points[len(points)-1].X
	if at != nil && p.X.Max-p.X.Min <= mostTicks*3600 { // whose ticks have no date
		p.xTitle = "time of day, " + at(p.X.Min).Format("2 January 2006")
	}
	p.Y.Min, p.Y.Max = 0, 0
	for _, n := range counts.Max {
		p.Y.Max = max(p.Y.Max, 1.04*n)
	}
	p.draw("", grid())
	points = p.decimated(points)
	// In parts: the time to fill a path in a PNG grows faster than its length.
	for from := 0; from < len(points)-1; from += 99 {
		part := points[from:min(from+100, len(points))]
		p.draw("", &plotter.Line{XYs: part, LineStyle: draw.LineStyle{Color: palette[0], Width: 0.6}, FillColor: pale})
	}
	return p.write(w, format)
}

// stretch is a length of time to the minute, such as "5 h 20 min".
func stretch(seconds float64) string {
	var words []string
	for _, u := range []struct {
		seconds float64
		name    string
	}{{86400, "d"}, {3600, "h"}, {60, "min"}} {
		if n := math.Floor(seconds / u.seconds); n > 0 {
			words = append(words, fmt.Sprintf("%.0f %s", n, u.name))
			seconds -= n * u.seconds
		}
	}
	return strings.Join(words, " ")
}

// submissionSeries is what Submissions draws: each stretch a step.
func submissionSeries(c Counts) plotter.XYs {
	var points plotter.XYs
	for i, n := range c.Max {
		from := c.Start + float64(i)*c.Width
		// A run of equal counts needs its two ends only.
		if k := len(points); k > 0 && points[k-1].Y == n {
			points[k-1].X = from + c.Width
			continue
		}
		points = append(points, plotter.XY{X: from, Y: n}, plotter.XY{X: from + c.Width, Y: n})
	}
	return points
}

// calendar are ticks for an axis of a log's seconds: dates where it is known
// what time they are, else days.
type calendar struct {
	at func(seconds float64) time.Time
}

// mostTicks is the number of ticks that fit on an axis.
const mostTicks = 8

// Ticks implements plot.Ticker.
func (c calendar) Ticks(low, high float64) []plot.Tick {
	if c.at == nil || high-low > 1e11 {
		return dayTicks(low, high)
	}
	from, to := c.at(low), c.at(high)
	for _, s := range []struct {
		months, days, hours int
		layout              string
	}{
		{0, 0, 1, "15:04"}, {0, 0, 6, "2 Jan 15:04"}, {0, 1, 0, "2006-01-02"}, {0, 2, 0, "2006-01-02"}, {0, 7, 0, "2006-01-02"}, {1, 0, 0, "2006-01"},
		{3, 0, 0, "2006-01"}, {6, 0, 0, "2006-01"}, {12, 0, 0, "2006"}, {24, 0, 0, "2006"}, {60, 0, 0, "2006"}, {240, 0, 0, "2006"}, {1200, 0, 0, "2006"},
	} {
		step := 3600*float64(s.hours) + 86400*(float64(s.days)+30.4*float64(s.months))
		if (high-low)/step > mostTicks {
			continue
		}
		var ticks []plot.Tick
		for t := roundDown(from, s.months, s.days, s.hours); !t.After(to); t = t.AddDate(0, s.months, s.days).Add(time.Duration(s.hours) * time.Hour) {
			if !t.Before(from) {
				ticks = append(ticks, plot.Tick{Value: low + t.Sub(from).Seconds(), Label: t.Format(s.layout)})
			}
		}
		return ticks
	}
	return dayTicks(low, high)
}

// roundDown is the last whole step at or before t, in its own zone.
func roundDown(t time.Time, months, days, hours int) time.Time {
	year, month, day := t.Date()
	switch {
	case months >= 12:
		return time.Date(year-year%(months/12), 1, 1, 0, 0, 0, 0, t.Location())
	case months > 0:
		return time.Date(year, month-(month-1)%time.Month(months), 1, 0, 0, 0, 0, t.Location())
	case days > 0:
		return time.Date(year, month, day, 0, 0, 0, 0, t.Location())
	}
	return time.Date(year, month, day, t.Hour()-t.Hour()%hours, 0, 0, 0, t.Location())
}

// dayTicks are at round numbers of days.
func dayTicks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/86400)))
	for _, m := range []float64{0.2, 0.5, 1, 2} {
		if (high-low)/86400/(m*step) <= mostTicks {
			step *= m
			break
		}
	}
	var ticks []plot.Tick
	for k := math.Ceil(low / 86400 / step); k*step*86400 <= high && len(ticks) < 4*mostTicks; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step * 86400, Label: fmt.Sprintf("%.6g", k*step)})
	}
	return ticks
}

var _ plot.Ticker = calendar{}
