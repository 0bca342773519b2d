package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
)

// clock tells the time at a second of the log; nil where it is not known.
func (l *Report) clock() func(seconds float64) time.Time {
	d := l.describe
	if d.Clock.Dates(float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit)) {
		return d.Clock.At
	}
	return nil
}

// along is a second of the log on a chart's axis: what a clock at the site
// shows, or days.
func (l *Report) along(seconds float64) float64 {
	at := l.clock()
	if at == nil {
		return seconds / 86400
	}
	t := at(seconds)
	_, offset := t.Zone()
	return float64(t.Unix()) + float64(offset) + float64(t.Nanosecond())/1e9
}

func (l *Report) timeAxis() page.Axis {
	if l.clock() == nil {
		return page.Axis{Title: "days since the log began", Kind: "days"}
	}
	return page.Axis{Title: "time", Kind: "clock"}
}

// history draws quantities over time. Values far above the others are marked at the
// end of the axis, and said below the picture.
func (l *Report) history(f page.Figure, h figure.History) []page.Block {
	top := h.Top()
	chart := page.Chart{X: l.timeAxis(), Y: page.Axis{Title: h.Axis, Kind: "number", Min: new(float64), Max: &top}}
	for _, t := range h.Edges {
		chart.At = append(chart.At, l.along(t))
	}
	for i, line := range h.Lines {
		kind := "step"
		if i > 0 {
			kind = "level"
		}
		// The last step ends where its stretch does.
		chart.Lines = append(chart.Lines, page.Line{Name: line.Name, Kind: kind, Y: append(slices.Clone(line.Y), line.Y[len(line.Y)-1])})
	}
	if h.Full != "" {
		full := page.Line{Name: h.Full, Kind: "limit"}
		for range h.Edges {
			full.Y = append(full.Y, 1)
		}
		chart.Lines = append(chart.Lines, full)
	}
	f.Chart = &chart
	off := l.offScale(h, top)
	f.Alt += off
	blocks := []page.Block{l.picture(f, func(w io.Writer) error { return figure.OverTime(w, figure.Compact, l.name, h, l.clock()) })}
	if off != "" {
		blocks = append(blocks, paragraph("%s", strings.TrimSpace(off)))
	}
	return blocks
}

// mostOffScale is how many values off the scale are listed.
const mostOffScale = 3

// offScale says which values are above the end of the axis, the highest first.
func (l *Report) offScale(h figure.History, top float64) string {
	type spike struct {
		at, y float64
		name  string
	}
	var all []spike
	for _, line := range h.Lines {
		for i, y := range line.Y {
			if y > top {
				all = append(all, spike{h.Edges[i], y, line.Name})
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.SortStableFunc(all, func(a, b spike) int {
		if a.y > b.y {
			return -1
		}
		return 1
	})
	var words []string
	for _, s := range all[:min(len(all), mostOffScale)] {
		words = append(words, fmt.Sprintf("%s %s (from %s)", s.name, sig(s.y), l.date(s.at)))
	}
	which := fmt.Sprintf("The axis ends at %s to keep the rest readable; a triangle marks", sig(top))
	switch {
	case len(all) == 1:
		return fmt.Sprintf(" %s the one value above it: %s.", which, words[0])
	case len(all) > mostOffScale:
		return fmt.Sprintf(" %s each of the %d values above it. The highest are %s.", which, len(all), strings.Join(words, ", "))
	}
	return fmt.Sprintf(" %s each of the %d values above it: %s.", which, len(all), strings.Join(words, ", "))
}

// date is when an interval begins: without the time where that is midnight.
func (l *Report) date(seconds float64) string {
	return strings.TrimSuffix(present.Moment(l.describe.Clock, seconds), " 00:00")
}

// known says whether some value is a number.
func known(y []float64) bool {
	return slices.ContainsFunc(y, func(x float64) bool { return !math.IsNaN(x) })
}
