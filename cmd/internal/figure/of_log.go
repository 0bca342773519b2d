package figure

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// timeAxis returns an axis for a log's seconds, and the function that maps seconds to positions
// on it: the local time of the site if it is known for first and last, or else days.
func timeAxis(clock workload.Clock, first, last float64) (Axis, func(seconds float64) float64) {
	if !clock.Dates(first, last) {
		return Axis{Title: "days since the log began", Kind: Days}, func(seconds float64) float64 { return seconds / 86400 }
	}
	return Axis{Title: "time", Kind: Clock}, func(seconds float64) float64 {
		t := clock.At(seconds)
		_, offset := t.Zone()
		return float64(t.Unix()) + float64(offset) + float64(t.Nanosecond())/1e9
	}
}

// OfDescription returns a picture of the number of jobs submitted over time, as figure 1 of Sonmez
// and others (2009). The figure has intervals of five minutes; those of a long log are longer.
func OfDescription(d *inspect.Description) []Spec {
	counts := d.Submissions
	s := Spec{Name: "submissions", Title: "How jobs arrive", Source: filepath.Base(d.Log.Name) + ", " + words.Counted(d.Jobs, "job"), Y: Axis{Title: "jobs submitted in " + view.Span(counts.Width), Kind: Number}}
	if len(counts.Jobs) == 0 {
		s.Why = "no time of submission is known"
	}
	axis, place := timeAxis(d.Clock, float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit))
	var edges []float64
	for i := range len(counts.Jobs) + 1 {
		edges = append(edges, place((counts.First+float64(i))*counts.Width))
	}
	s.X, s.Series = axis, []Series{{Kind: Step, Color: 1, X: edges, Y: counts.Jobs}}
	return []Spec{s}
}

// OverTime returns a picture of quantities between edges, in seconds of the log, as steps. The
// area below the first quantity is filled. full is the name of a line for the whole machine, at
// 1; "" for none. Values far above the others are off the scale, and marked at its end.
func OverTime(title, source string, d *inspect.Description, edges []float64, full string, lines []Series) Spec {
	s := Spec{Title: title, Source: source, Y: Axis{Title: title, Kind: Number, Max: axisTop(full != "", lines)}}
	axis, place := timeAxis(d.Clock, float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit))
	s.X = axis
	var at []float64
	for _, e := range edges {
		at = append(at, place(e))
	}
	beyond, isBeyond := slices.Repeat([]float64{unknown}, len(at)), false
	for i, c := range lines {
		c.Kind, c.X, c.Color, c.Dash = Level, at, i+1, Solid
		if i == 0 {
			c.Kind = Step
		}
		s.Series = append(s.Series, c)
		for i, y := range c.Y {
			if y > s.Y.Max {
				beyond[i], isBeyond = s.Y.Max, true
			}
		}
	}
	if full != "" {
		s.Series = append(s.Series, reference(full, at, slices.Repeat([]float64{1}, len(at))))
	}
	if isBeyond {
		s.Series = append(s.Series, Series{Name: offScaleName, Kind: Points, Color: len(palette), X: at, Y: beyond})
	}
	if s.Y.Max == 0 {
		s.Why = "no value is above 0"
	}
	return s
}

// offScaleName is the name of the marks at the end of the axis for values beyond it.
const offScaleName = "off the scale"

const (
	// Values above offScale times the offScaleQuantile of all are off the scale: one
	// spike would leave no height for the rest.
	offScale, offScaleQuantile = 1.6, 0.95
	// fewestOffScale is the least number of values for which some may be off the scale.
	fewestOffScale = 12
)

// axisTop returns the end of the vertical axis, 0 if there is nothing to draw. Only values far
// above the others are beyond it.
func axisTop(full bool, lines []Series) float64 {
	var all []float64
	for _, c := range lines {
		all = append(all, slices.DeleteFunc(slices.Clone(c.Y), func(y float64) bool { return !Number.has(y) })...)
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	top, most := all[len(all)-1], offScale*all[int(offScaleQuantile*float64(len(all)-1))]
	if full {
		top, most = max(top, 1), max(most, 1.2)
	}
	if len(all) >= fewestOffScale && most > 0 && top > 1.25*most {
		return most
	}
	return 1.04 * max(0, top)
}

// daily returns a picture, still without series, of shares by half hour of the day, from 5:00 to
// 5:00 of the next day.
func daily(name, source string) Spec {
	return Spec{Name: name, Title: "How submissions change over the day", Source: source,
		X: Axis{Title: "time of day", Kind: Hours}, Y: Axis{Title: "share of jobs per half hour", Kind: Share}}
}

// halfHours returns a series of the shares in each half hour of the day. slots begin at midnight.
func halfHours[F ~float64](name string, kind SeriesKind, color int, slots []F) Series {
	s := Series{Name: name, Kind: kind, Color: color, X: []float64{dayBegins}, Y: make([]float64, model.Slots)}
	for i, share := range slots {
		s.X = append(s.X, dayBegins+float64(i+1)/2)
		s.Y[model.SlotNumber(i)-model.FirstSlot] = float64(share)
	}
	return s
}

// dailyCycle returns a picture of the share of jobs in each half hour of the day and of the cycle
// fitted to it, as figure 9 of Lublin and Feitelson (2003). jobs are counts by half hour, beginning
// at midnight.
func dailyCycle(source string, jobs [model.Slots]float64, fitted *site.CycleReport) Spec {
	s := daily("daily-cycle", source)
	sum := 0.0
	for _, n := range jobs {
		sum += n
	}
	if sum == 0 {
		s.Why = "no time of submission is known"
		return s
	}
	for i := range jobs {
		jobs[i] /= sum
	}
	s.Series = []Series{halfHours("the log", Bars, 0, jobs[:])}
	law, _ := fitted.Law.Law.(dist.Gamma)
	if weights, ok := model.CycleWeights(law); ok {
		for i := range weights {
			weights[i] /= model.Slots
		}
		name := "fitted cycle"
		if fitted.Caution() != "" {
			name = fmt.Sprintf("fitted cycle: does not fit (D %.2f)", float64(fitted.D))
		}
		s.Series = append(s.Series, halfHours(name, Level, 1, weights[:]))
	}
	return s
}

// DailyCycles returns a picture of the shares of several workloads in each half hour of the day.
// slots begin at midnight.
func DailyCycles[F ~float64](source string, names []string, slots ...[]F) Spec {
	s := daily("daily-cycles", source)
	for i, name := range names {
		s.Series = append(s.Series, halfHours(name, Level, i+1, slots[i]))
	}
	return s
}
