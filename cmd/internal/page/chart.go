package page

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/printable"
)

// Chart is the series of a figure that can be zoomed.
type Chart struct {
	X, Y  Axis
	At    []float64 // along X, ascending
	Lines []Line
	Cells *Cells // behind the lines; nil for none
}

// Cells are squares of a grid over two log axes, with how many jobs each has.
type Cells struct {
	Side float64   // of a square: its end over its beginning, above 1
	X, Y []float64 // lower left corners, powers of Side
	Jobs []int
}

// encode gives the number of each square along X and Y from 1 on, and its jobs.
func (c *Cells) encode() (any, error) {
	if !(c.Side > 1) || len(c.X) != len(c.Y) || len(c.X) != len(c.Jobs) {
		return nil, fmt.Errorf("page: %d, %d and %d numbers of cells of side %g", len(c.X), len(c.Y), len(c.Jobs), c.Side)
	}
	out := struct {
		Side float64  `json:"side"`
		At   [][3]int `json:"at"`
	}{Side: c.Side}
	place := func(v float64) int { return int(math.Round(math.Log(v) / math.Log(c.Side))) }
	for i, n := range c.Jobs {
		if !(c.X[i] > 0 && c.Y[i] > 0 && c.X[i]*c.Y[i] < 1e300) {
			return nil, fmt.Errorf("page: a cell at %g, %g", c.X[i], c.Y[i])
		}
		out.At = append(out.At, [3]int{place(c.X[i]), place(c.Y[i]), n})
	}
	return out, nil
}

// Axis says how its numbers are written.
type Axis struct {
	Title string `json:"title"`
	// Kind is what the numbers are:
	//   - "clock": seconds since 1970 as a clock at the site shows them
	//   - "days": days
	//   - "duration": seconds, over a log axis
	//   - "processors": over a log axis
	//   - "share": of 1
	//   - "number"
	Kind string   `json:"kind"`
	Min  *float64 `json:"min,omitempty"` // of the whole axis; nil for the numbers'
	Max  *float64 `json:"max,omitempty"` // numbers of Y above it are marked at its end
}

// Line is one series.
type Line struct {
	Name string
	Y    []float64 // one for each of Chart.At; NaN where there is none
	// Kind is "data" (wide and grey), "law" (coloured, dashed), "step" (from
	// each number to the next, filled), "level" (the same as a line), "limit" (black,
	// dashed) or "points".
	Kind string
}

var axisKinds = map[string]bool{"clock": true, "days": true, "duration": true, "processors": true, "share": true, "number": true}

var lineKinds = map[string]bool{"data": true, "law": true, "step": true, "level": true, "limit": true, "points": true}

// encode is what the page's script reads. It is safe in a script element:
// encoding/json writes <, > and & as escapes.
func (c *Chart) encode() ([]byte, error) {
	type line struct {
		Name string `json:"name"`
		Kind string `json:"kind"`
	}
	out := struct {
		X     Axis        `json:"x"`
		Y     Axis        `json:"y"`
		Lines []line      `json:"lines"`
		Data  [][]rounded `json:"data"`
		Cells any         `json:"cells,omitempty"`
	}{X: c.X, Y: c.Y}
	for _, a := range []Axis{c.X, c.Y} {
		if !axisKinds[a.Kind] {
			return nil, fmt.Errorf("page: axis %q is of the unknown kind %q", a.Title, a.Kind)
		}
	}
	out.Data = append(out.Data, round(c.At, 10))
	for _, l := range c.Lines {
		if len(l.Y) != len(c.At) {
			return nil, fmt.Errorf("page: %s has %d numbers at %d places", l.Name, len(l.Y), len(c.At))
		}
		if !lineKinds[l.Kind] {
			return nil, fmt.Errorf("page: %s is of the unknown kind %q", l.Name, l.Kind)
		}
		out.Lines = append(out.Lines, line{printable.Text(l.Name), l.Kind})
		out.Data = append(out.Data, round(l.Y, 5))
	}
	if c.Cells != nil {
		cells, err := c.Cells.encode()
		if err != nil {
			return nil, err
		}
		out.Cells = cells
	}
	return json.Marshal(out)
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
