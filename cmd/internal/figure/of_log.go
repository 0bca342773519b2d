package figure

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// OfDescription returns figure 1 of Sonmez and others (2009) for a log.
func OfDescription(d *inspect.Description) []Spec {
	return []Spec{Submissions(filepath.Base(d.Log.Name)+", "+words.Counted(d.Bursts.Jobs-d.Bursts.LeftOut, "job"), d)}
}

// TimeAxis returns an axis for a log's seconds, and their places on it: what a clock
// at the site shows if that is known of the first and the last, else days.
func TimeAxis(clock workload.Clock, first, last float64) (Axis, func(seconds ...float64) []float64) {
	axis, place := Axis{Title: "time", Kind: Clock}, func(seconds float64) float64 {
		t := clock.At(seconds)
		_, offset := t.Zone()
		return float64(t.Unix()) + float64(offset) + float64(t.Nanosecond())/1e9
	}
	if !clock.Dates(first, last) {
		axis, place = Axis{Title: "days since the log began", Kind: Days}, func(seconds float64) float64 { return seconds / 86400 }
	}
	return axis, func(seconds ...float64) []float64 {
		places := make([]float64, len(seconds))
		for i, s := range seconds {
			places[i] = place(s)
		}
		return places
	}
}

// fiveMinutes is the interval whose events inspect's peaks count, in seconds.
const fiveMinutes = 300

// Submissions draws how many jobs were submitted in five minutes, over time:
// figure 1 of Sonmez and others (2009), without its cut at 1000. If a
// stretch is longer than five minutes its highest count is drawn.
func Submissions(source string, d *inspect.Description) Spec {
	peaks := d.Bursts.Peaks
	s := Spec{Name: "submissions", Title: "How jobs arrive", Source: source, Y: Axis{Title: "jobs submitted in five minutes", Kind: Number}}
	if d.Bursts.Jobs == 0 {
		s.Why = "no time of submission is known"
	}
	if peaks.Width > fiveMinutes {
		s.Y.Title += ",\nthe busiest of each " + stretch(peaks.Width)
	}
	axis, places := TimeAxis(d.Clock, float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit))
	edges, counts := steps(peaks.Start, peaks.Width, peaks.Max)
	s.X, s.Series = axis, []Series{{Kind: Step, Color: 1, X: places(edges...), Y: counts}}
	return s
}

// steps are the edges and the values of a line of steps; one step for a run of equal
// values.
func steps(start, width float64, values []float64) (edges, kept []float64) {
	edges = []float64{start}
	for i, v := range values {
		if k := len(kept); k > 0 && kept[k-1] == v {
			edges = edges[:k]
		} else {
			kept = append(kept, v)
		}
		edges = append(edges, start+float64(i+1)*width)
	}
	return edges, kept
}

// stretch is a length of time to the minute, such as "5 h 20 min".
func stretch(seconds float64) string {
	var words []string
	for _, u := range slices.Backward(timeUnits[1:]) {
		if n := math.Floor(seconds / u.size); n > 0 {
			words = append(words, fmt.Sprintf("%.0f%s", n, u.name))
			seconds -= n * u.size
		}
	}
	return strings.Join(words, " ")
}

// OverTime draws quantities between edges, in seconds of the log, as steps, the first
// one filled. full is the name of a line for the whole machine, at 1; "" for none.
// Values far above the others are off the scale.
func OverTime(title, source string, d *inspect.Description, edges []float64, full string, lines []Series) Spec {
	s := Spec{Title: title, Source: source, Y: Axis{Title: title, Kind: Number, Max: axisTop(full != "", lines)}}
	axis, places := TimeAxis(d.Clock, float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit))
	s.X = axis
	at := places(edges...)
	for i, c := range lines {
		c.Kind, c.X, c.Color, c.Dash = Level, at, i+1, Solid
		if i == 0 {
			c.Kind = Step
		}
		s.Series = append(s.Series, c)
	}
	if full != "" {
		s.Series = append(s.Series, Series{Name: full, Kind: Limit, Y: []float64{1}})
	}
	if s.Y.Max == 0 {
		s.Why = "no value is above 0"
	}
	return s
}

const (
	// Values above offScale times the offScaleQuantile of all are off the scale: one
	// spike would leave no height for the rest.
	offScale, offScaleQuantile = 1.6, 0.95
	// fewestOffScale is how many values there are where some may be off the scale.
	fewestOffScale = 12
)

// axisTop is the end of the vertical axis, 0 if there is nothing to draw. No value is
// beyond it unless it is far above the others.
func axisTop(full bool, lines []Series) float64 {
	var all []float64
	for _, c := range lines {
		for _, y := range c.Y {
			if Number.has(y) {
				all = append(all, y)
			}
		}
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

// dayEdges are the ends of half hours from the beginning of the daily cycle on.
func dayEdges() (edges []float64) {
	for i := range model.Slots + 1 {
		edges = append(edges, dayBegins+float64(i)/2)
	}
	return edges
}

// daily is the picture of shares by half hour of the day, from 5:00 over midnight to 5:00.
func daily(name, source string) Spec {
	return Spec{Name: name, Title: "How submissions change over the day", Source: source,
		X: Axis{Title: "time of day", Kind: Hours}, Y: Axis{Title: "share of jobs per half hour", Kind: Share}}
}

// addDay adds the shares in each half hour, given from midnight on.
func (s *Spec) addDay(c Series, slots []float64) {
	c.X, c.Y = dayEdges(), make([]float64, model.Slots)
	for i, n := range slots {
		c.Y[model.SlotNumber(i)-model.FirstSlot] = n
	}
	s.Series = append(s.Series, c)
}

// DailyCycle draws the share of the jobs in each half hour of the day with the cycle
// fitted to it, if there is one: figure 9 of Lublin and Feitelson (2003). jobs are by
// half hour from midnight on.
func DailyCycle(source string, jobs [model.Slots]float64, fitted *site.CycleReport) Spec {
	s := daily("daily-cycle", source)
	n := 0.0
	for _, k := range jobs {
		n += k
	}
	if n == 0 {
		s.Why = "no time of submission is known"
		return s
	}
	var shares []float64
	for _, k := range jobs {
		shares = append(shares, k/n)
	}
	s.addDay(Series{Name: "the log", Kind: Bars}, shares)
	s.Y.Max = 1.04 * slices.Max(shares)
	if fitted == nil {
		return s
	}
	name := "fitted cycle"
	if !fitted.Fits() {
		name = fmt.Sprintf("fitted cycle: does not fit (D %.2f)", float64(fitted.D))
	}
	c := cycle(name, fitted.Law.Law)
	for _, y := range c.Y {
		if y <= 1 {
			s.Y.Max = max(s.Y.Max, 1.04*y)
		}
	}
	s.Series = append(s.Series, c)
	return s
}

// cycle is the line of a law of the number of the half hour, as model.SlotNumber counts
// it: in the middle of each half hour it is that slot's share of the jobs,
// model.CycleWeights over the number of slots.
func cycle(name string, law dist.Law) Series {
	const first, last = model.FirstSlot, model.LastSlot
	all := mass(law, first-0.5, last+0.5)
	s := Series{Name: name, Kind: Line, Color: 1}
	for i := range curvePoints {
		slot := first - 0.5 + float64(last-first+1)*float64(i)/(curvePoints-1)
		// The middle of slot n is 2n-1 quarters of an hour after midnight.
		s.X, s.Y = append(s.X, (2*slot-1)/4), append(s.Y, mass(law, slot-0.5, slot+0.5)/all)
	}
	return s
}

// mass is the probability of (lo, hi], taken from the shorter tail.
func mass(l dist.Law, lo, hi float64) float64 {
	if f := l.CDF(hi); f < 0.5 {
		return f - l.CDF(lo)
	}
	return l.Survival(lo) - l.Survival(hi)
}

// DailyCycles draws the shares of several workloads in each half hour of the day, given
// from midnight on.
func DailyCycles(source string, names []string, shares [][]float64) Spec {
	s := daily("daily-cycles", source)
	for i, name := range names {
		s.addDay(Series{Name: name, Kind: Level, Color: i + 1}, shares[i])
	}
	return s
}

// WeeklyCycle draws the share of the jobs submitted on each day of the week,
// from Monday on, with the share if all days were alike. jobs are counts by
// weekday, Sunday first, as time.Weekday counts.
func WeeklyCycle(source string, jobs [7]float64) Spec {
	s := Spec{Name: "weekly-cycle", Title: "How submissions change over the week", Source: source,
		X: Axis{Title: "day of the week", Kind: Categories}, Y: Axis{Title: "share of jobs", Kind: Share}}
	n, bars := 0.0, Series{Name: "the log", Kind: Bars}
	for _, k := range jobs {
		n += k
	}
	for i := range jobs {
		day := time.Weekday((i + 1) % 7)
		s.X.Names, bars.Y = append(s.X.Names, day.String()[:3]), append(bars.Y, jobs[day]/n)
	}
	s.Series = []Series{bars, {Name: "all days alike", Kind: Limit, Y: []float64{1.0 / 7}}}
	if n == 0 {
		s.Why = "no time of submission is known"
	}
	return s
}
