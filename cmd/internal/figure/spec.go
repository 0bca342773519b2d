package figure

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/printable"
)

// Spec is a picture as plain data. Draw writes it as a file; its JSON is the
// input of the chart of a page.
type Spec struct {
	Name   string // of its file, without the extension
	Title  string
	Source string // the line below the title: the log and the number of jobs
	X, Y   Axis
	Series []Series
	Square bool   // whether the picture is as high as it is wide
	Why    string // the reason why there is nothing to draw; "" if it can be drawn
}

// Axis is one of the two axes.
type Axis struct {
	Title string
	Kind  AxisKind
	// Min and Max are the ends of the axis. If they are equal, the axis has the range of
	// its series.
	Min, Max float64
	Names    []string // of a Categories axis
}

// AxisKind is the meaning of the numbers of an axis. It determines the scale and the
// ticks.
type AxisKind string

// The kinds of axes.
const (
	Number     AxisKind = "number"
	Share      AxisKind = "share"      // of 1, in percent
	Seconds    AxisKind = "seconds"    // linear
	Clock      AxisKind = "clock"      // seconds since 1970, in the site's local time
	Days       AxisKind = "days"       // since the log began
	Hours      AxisKind = "hours"      // of a day that begins at dayBegins
	Categories AxisKind = "categories" // category i is between i and i+1

	Duration   AxisKind = "duration"   // seconds, logarithmic
	Processors AxisKind = "processors" // logarithmic
	Logarithm  AxisKind = "logarithm"  // other numbers, logarithmic
)

func (k AxisKind) isLog() bool { return k == Duration || k == Processors || k == Logarithm }

// Series is a line, a set of bars, or another set of values drawn in one style.
type Series struct {
	Name string // in the legend; "" for none
	Kind SeriesKind
	// Color is an index into the palette, counted from 1; 0 is the grey of data.
	Color int
	Dash  Dash
	X, Y  []float64 // NaN breaks a line
	// Low and High are the ends of intervals around Y; NaN for a missing interval. If Y
	// is nil, only the band between them is drawn.
	Low, High []float64
	Side      float64 // ratio of the end of a cell to its beginning, above 1
	Count     []int   // number of jobs in each cell
}

// SeriesKind is the form of a series.
type SeriesKind string

// The kinds of series. X of a series between edges has one value more than Y.
const (
	Line   SeriesKind = "line"
	Step   SeriesKind = "step"  // between edges, with the area below filled
	Level  SeriesKind = "level" // between edges
	Bars   SeriesKind = "bars"  // between edges or, on an axis of Categories, at X
	Points SeriesKind = "points"
	Cells  SeriesKind = "cells" // squares on log axes; X and Y are their lower left corners
)

// Dash is the dash pattern of a line. "" stands for a pattern that depends on the color, so that
// lines differ in both.
type Dash string

// The dashes that a series can ask for.
const (
	Solid  Dash = "solid"
	Dashed Dash = "dashed"
)

// edges returns the number of values that X of a series has more than Y: 1 between edges, or
// else 0.
func (s *Spec) edges(c *Series) int {
	if c.Kind == Step || c.Kind == Level || c.Kind == Bars && s.X.Kind != Categories {
		return 1
	}
	return 0
}

// check returns an error if the lengths of a series do not match.
func (s *Spec) check() error {
	for i := range s.Series {
		c := &s.Series[i]
		n := len(c.X) - s.edges(c)
		for _, list := range []int{len(c.Y), len(c.Low), len(c.High), len(c.Count)} {
			if list != n && list > 0 || n < 0 || len(c.Low) != len(c.High) || c.Kind == Cells && !(len(c.Count) > 0 && c.Side > 1) {
				return fmt.Errorf("figure: %s has %d X, %d Y, %d low, %d high and %d counts", c.Name, len(c.X), len(c.Y), len(c.Low), len(c.High), len(c.Count))
			}
		}
	}
	return nil
}

// MarshalJSON returns the input of the chart of a page: the numbers of the lines at
// common X. It is an error if a series is not a line or has other X than the first.
// The text is safe in a script element: encoding/json escapes <, > and &.
func (s *Spec) MarshalJSON() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	var lines []map[string]any
	var data [][]json.RawMessage
	for i := range s.Series {
		c, places := &s.Series[i], s.Series[0].X
		if c.Kind == Bars || c.Kind == Cells || c.Low != nil || !slices.Equal(c.X, places) {
			return nil, fmt.Errorf("figure: a chart has no %s as %s, at the places of %s", c.Kind, c.Name, s.Series[0].Name)
		}
		if i == 0 {
			data = append(data, numbers(places, 10))
		}
		y := numbers(c.Y, 5)
		if len(y) < len(places) { // repeat the last step at the last edge
			y = append(y, y[max(0, len(y)-1):]...)
		}
		lines = append(lines, map[string]any{"name": printable.Text(c.Name), "kind": c.Kind, "color": c.Color, "dash": c.Dash})
		data = append(data, y)
	}
	return json.Marshal(map[string]any{"x": s.X.document(), "y": s.Y.document(), "lines": lines, "data": data})
}

// document returns an axis for JSON.
func (a *Axis) document() map[string]any {
	out := map[string]any{"title": printable.Text(a.Title), "kind": a.Kind}
	if a.Max > a.Min {
		out["min"], out["max"] = a.Min, a.Max
	}
	return out
}

// numbers returns xs as JSON with the given number of digits, which suffice for a picture, and
// null for values that cannot be drawn.
func numbers(xs []float64, digits int) []json.RawMessage {
	out := make([]json.RawMessage, len(xs))
	for i, x := range xs {
		out[i] = json.RawMessage("null")
		if Number.has(x) {
			out[i] = strconv.AppendFloat(nil, x, 'g', digits, 64)
		}
	}
	return out
}

// mostNumbers is the largest number of rows that Numbers returns for a linear axis.
const mostNumbers = 60

// Numbers returns the lines as a table: on a logarithmic X axis, at the points next to its ticks,
// or else at the last mostNumbers points.
func (s *Spec) Numbers() (head []string, rows [][]string) {
	head = []string{s.X.Title}
	n := math.MaxInt
	for _, c := range s.Series {
		n = min(n, len(c.Y))
		head = append(head, c.Name)
	}
	places := s.Series[0].X[:n]
	var at []int
	if s.X.Kind.isLog() {
		for _, tick := range s.X.ticks(places[0], places[n-1]) {
			i, _ := slices.BinarySearch(places, tick.Value*(1-1e-9))
			at = append(at, min(i, n-1))
		}
	} else {
		for i := max(0, n-mostNumbers); i < n; i++ {
			at = append(at, i)
		}
	}
	for _, i := range at {
		row := []string{s.X.Kind.text(places[i])}
		for _, c := range s.Series {
			row = append(row, s.Y.Kind.text(c.Y[i]))
		}
		rows = append(rows, row)
	}
	return head, rows
}

// text formats a number of the axis for people.
func (k AxisKind) text(v float64) string {
	switch k {
	case Clock:
		return strings.TrimSuffix(time.Unix(int64(v), 0).UTC().Format("2006-01-02 15:04"), " 00:00")
	case Duration, Seconds:
		return view.Duration(v)
	case Share:
		return view.Percent(100 * v)
	}
	return view.Sig(v)
}
