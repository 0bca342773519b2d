package figure

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/printable"
)

// Spec is a picture as plain data. Draw writes it as a file; its JSON is what
// the chart of a page reads.
type Spec struct {
	Name   string // of its file, without the extension
	Title  string
	Source string // which log, and how many jobs
	X, Y   Axis
	Series []Series
	Square bool   // the plot is as high as it is wide
	Why    string // the reason why there is nothing to draw; "" if there is something
	// Extra is set on a picture that nobody misses when all pictures of a result
	// are drawn: only a user who asks for it by name wants to know why it is absent.
	Extra bool
}

// Axis is one of the two axes.
type Axis struct {
	Title string // of one or more lines
	Kind  AxisKind
	// Min and Max are the ends of the axis. If they are equal, the axis ends
	// where its series do.
	Min, Max float64
	Names    []string // of a Categories axis
}

// AxisKind is the meaning of an axis' numbers, from which its scale and its
// ticks follow.
type AxisKind string

// The kinds of axes.
const (
	Number     AxisKind = "number"
	Share      AxisKind = "share"      // of 1, in percent
	Seconds    AxisKind = "seconds"    // of a linear axis
	Clock      AxisKind = "clock"      // seconds since 1970 on the site's clock
	Days       AxisKind = "days"       // since the log began
	Hours      AxisKind = "hours"      // of a day that begins at dayBegins
	Categories AxisKind = "categories" // number i is between i and i+1

	Duration   AxisKind = "duration"   // seconds, logarithmic
	Processors AxisKind = "processors" // logarithmic
	Logarithm  AxisKind = "logarithm"  // other numbers
)

func (k AxisKind) isLog() bool { return k == Duration || k == Processors || k == Logarithm }

// Series is what is drawn of one thing.
type Series struct {
	Name string // in the legend; "" for none
	Kind SeriesKind
	// Color is a number of the palette, from 1 on; 0 is the grey of data.
	Color int
	Dash  Dash
	X, Y  []float64 // NaN breaks a line
	// Low and High are the ends of intervals around Y, or of a Band; NaN if there is
	// none.
	Low, High []float64
	Side      float64 // of a cell: its end over its beginning, above 1
	Count     []int   // in each cell
}

// SeriesKind is the form of a series.
type SeriesKind string

// The kinds of series. Those of X edges have one X more than Y, if they do not
// stand on an axis of Categories.
const (
	Line     SeriesKind = "line"     // with a band if there are intervals
	Step     SeriesKind = "step"     // of X edges, with the area below it
	Level    SeriesKind = "level"    // of X edges
	Limit    SeriesKind = "limit"    // the same Y throughout
	Identity SeriesKind = "identity" // Y is X
	Bars     SeriesKind = "bars"     // of X edges, or one for each category
	Band     SeriesKind = "band"     // from Low to High
	Points   SeriesKind = "points"
	Cells    SeriesKind = "cells" // squares on log axes; X and Y are their lower left corners
)

// Dash is how a line is broken up: "" by the number of its color, so that
// neither colors nor dashes alone tell lines apart.
type Dash string

// The dashes that a series can ask for.
const (
	Solid  Dash = "solid"
	Dashed Dash = "dashed"
)

// Find returns the picture of a name, nil if there is none.
func Find(all []Spec, name string) *Spec {
	i := slices.IndexFunc(all, func(s Spec) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// absent returns a picture that cannot be drawn, and why.
func absent(name, why string) Spec { return Spec{Name: name, Why: why} }

// absentExtra returns pictures that cannot be drawn and that nobody misses.
func absentExtra(why string, names ...string) (all []Spec) {
	for _, name := range names {
		all = append(all, Spec{Name: name, Why: why, Extra: true})
	}
	return all
}

// check finds numbers that do not fit together.
func (s *Spec) check() error {
	for _, c := range s.Series {
		n := len(c.Y)
		places := len(c.X) == n
		switch {
		case c.Kind == Limit:
			places = n == 1
		case c.Kind == Identity || c.Kind == Bars && s.X.Kind == Categories:
			places = true
		case c.Kind == Band:
			n = len(c.Low)
			places = len(c.X) == n || len(c.X) == n+1
		case c.Kind == Step || c.Kind == Level || c.Kind == Bars:
			places = len(c.X) == n+1
		case c.Kind == Cells:
			places = places && len(c.Count) == n && n > 0 && c.Side > 1
		}
		if !places || len(c.Low) != len(c.High) || c.Low != nil && len(c.Low) != n {
			return fmt.Errorf("figure: %s has %d X, %d Y, %d low, %d high and %d counts", c.Name, len(c.X), len(c.Y), len(c.Low), len(c.High), len(c.Count))
		}
	}
	return nil
}

// MarshalJSON writes what the chart of a page reads: the lines' numbers at
// common places along X, and behind them the cells. It is an error if a series
// has no place in such a chart. The text is safe in a script element:
// encoding/json escapes <, > and &.
func (s *Spec) MarshalJSON() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	type line struct {
		Name  string     `json:"name"`
		Kind  SeriesKind `json:"kind"`
		Color int        `json:"color"` // 0 is the data's
	}
	type cells struct {
		Side float64  `json:"side"`
		At   [][3]int `json:"at"` // numbers along X and along Y, and the count
	}
	var out struct {
		X     axisJSON    `json:"x"`
		Y     axisJSON    `json:"y"`
		Lines []line      `json:"lines"`
		Data  [][]rounded `json:"data"`
		Cells *cells      `json:"cells,omitempty"`
	}
	out.X, out.Y = s.X.json(), s.Y.json()
	var x []float64
	for _, c := range s.Series {
		if c.X != nil && c.Kind != Cells {
			x = c.X
			break
		}
	}
	out.Data = append(out.Data, round(x, 10))
	for _, c := range s.Series {
		y := c.Y
		switch c.Kind {
		case Cells:
			out.Cells = &cells{Side: c.Side}
			place := func(v float64) int { return int(math.Round(math.Log(v) / math.Log(c.Side))) }
			for i, n := range c.Count {
				if !(c.X[i] > 0 && c.Y[i] > 0 && c.X[i]*c.Y[i] < largest) {
					return nil, fmt.Errorf("figure: a cell at %g, %g", c.X[i], c.Y[i])
				}
				out.Cells.At = append(out.Cells.At, [3]int{place(c.X[i]), place(c.Y[i]), n})
			}
			continue
		case Limit:
			y = slices.Repeat(c.Y[:1], len(x))
		case Identity:
			y = x
		case Step, Level: // the last step ends where its stretch does
			y = append(slices.Clone(c.Y), c.Y[max(0, len(c.Y)-1):]...)
		case Line, Points:
		default:
			return nil, fmt.Errorf("figure: %s: a chart has no %s", c.Name, c.Kind)
		}
		if len(y) != len(x) || c.X != nil && !slices.Equal(c.X, x) {
			return nil, fmt.Errorf("figure: %s is not at the places of the other lines", c.Name)
		}
		out.Lines = append(out.Lines, line{printable.Text(c.Name), c.Kind, c.Color})
		out.Data = append(out.Data, round(y, 5))
	}
	return json.Marshal(out)
}

type axisJSON struct {
	Title string   `json:"title"`
	Kind  AxisKind `json:"kind"`
	Min   *float64 `json:"min,omitempty"`
	Max   *float64 `json:"max,omitempty"`
}

func (a *Axis) json() axisJSON {
	out := axisJSON{Title: printable.Text(a.Title), Kind: a.Kind}
	if a.Max > a.Min {
		out.Min, out.Max = &a.Min, &a.Max
	}
	return out
}

// rounded is a number with few digits: a picture has no more.
type rounded string

func (r rounded) MarshalJSON() ([]byte, error) { return []byte(r), nil }

func round(xs []float64, digits int) []rounded {
	out := make([]rounded, len(xs))
	for i, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			out[i] = "null"
			continue
		}
		short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
		text, _ := json.Marshal(short)
		out[i] = rounded(text)
	}
	return out
}
