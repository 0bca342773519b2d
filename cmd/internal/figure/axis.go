package figure

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/loadstone-hpc/loadstone/model"
)

// dayBegins is the hour at which the daily cycle begins: Lublin and Feitelson
// (2003), section 3.3.2.
const dayBegins = (model.FirstSlot - 1) / 2

// mostTicks is the number of ticks that fit on an axis.
const mostTicks = 8

// unit is one in which an axis' numbers are written.
type unit struct {
	size float64
	name string
}

var timeUnits = []unit{{1, " s"}, {60, " min"}, {3600, " h"}, {86400, " d"}}

// unitFor is the unit of ticks at equal steps: for times the largest of which
// the axis has two or more at v.
func (k AxisKind) unitFor(v float64) unit {
	u := unit{1, ""}
	switch k {
	case Share:
		return unit{0.01, " %"}
	case Seconds, Duration:
		for _, t := range timeUnits {
			if t.size == 1 || v >= 2*t.size {
				u = t
			}
		}
	}
	return u
}

// The ticks of log axes of time: those of axes that span days, and those
// between them.
var (
	coarseTimes = []float64{1e-3, 1e-2, 0.1, 1, 10, 60, 600, 3600, 36000, 86400, 864e3, 864e4, 864e5, 864e6, 864e7, 864e8}
	allTimes    = []float64{1e-3, 1e-2, 0.1, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18000, 36000,
		86400, 2 * 86400, 5 * 86400, 864e3, 2 * 864e3, 5 * 864e3, 864e4, 864e5, 864e6, 864e7, 864e8}
)

// ticks returns the ticks of an axis from low to high: at round numbers of its
// kind, and at its ends if there are no two such.
func (a *Axis) ticks(low, high float64) []plot.Tick {
	var at []float64
	label := func(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }
	switch a.Kind {
	case Categories:
		var names []plot.Tick
		for i, name := range a.Names {
			names = append(names, plot.Tick{Value: float64(i) + 0.5, Label: name})
		}
		return names
	case Clock:
		return calendarTicks(low, high)
	case Hours:
		var hours []plot.Tick
		for h := dayBegins; h <= dayBegins+24; h++ {
			t := plot.Tick{Value: float64(h)}
			if (h-dayBegins)%3 == 0 {
				t.Label = strconv.Itoa(h%24) + ":00"
			}
			hours = append(hours, t)
		}
		return hours
	case Duration:
		if at = within(low, high, coarseTimes); len(at) < 4 {
			at = within(low, high, allTimes)
		}
		label = func(v float64) string {
			u := unit{1e-3, " ms"}
			for _, t := range timeUnits {
				if v >= t.size {
					u = t
				}
			}
			return strconv.FormatFloat(v/u.size, 'g', 6, 64) + u.name
		}
	case Processors:
		at = powers(2, max(1, low), high)
	case Logarithm:
		at = powers(10, low, high)
	}
	if len(at) < 2 {
		unit := a.Kind.unitFor(high)
		if a.Kind.isLog() {
			unit = a.Kind.unitFor(low)
		}
		steps, decimals := roundNumbers(low/unit.size, high/unit.size)
		form := byte('f')
		if decimals > 6 || math.Abs(high/unit.size) >= 1e7 {
			form, decimals = 'g', 6
		}
		for i := range steps {
			steps[i] *= unit.size
		}
		at = within(low, high, steps)
		label = func(v float64) string { return strconv.FormatFloat(v/unit.size, form, decimals, 64) + unit.name }
		if len(at) < 2 {
			at = []float64{low, high}
			label = func(v float64) string { return strconv.FormatFloat(v/unit.size, 'g', 4, 64) + unit.name }
		}
	}
	var all []plot.Tick
	for _, v := range at {
		all = append(all, plot.Tick{Value: v, Label: label(v)})
	}
	return all
}

// within are the values between two ends. The last may be rounded.
func within(low, high float64, all []float64) (inside []float64) {
	for _, v := range all {
		if v >= low && v <= high+1e-12*math.Abs(high) {
			inside = append(inside, v)
		}
	}
	return inside
}

// powers are those of a base on a log axis, each second, third and so on if
// they are many.
func powers(base, low, high float64) (all []float64) {
	first, last := math.Ceil(math.Log(low)/math.Log(base)-1e-9), math.Floor(math.Log(high)/math.Log(base)+1e-9)
	step := max(1, math.Ceil((last-first)/11))
	for k := step * math.Ceil(first/step); k <= last; k += step {
		all = append(all, math.Pow(base, k))
	}
	return within(low*(1-1e-9), high*(1+1e-9), all)
}

// roundNumbers are four to eight numbers in steps of 1, 2 or 5 times a power of
// ten, and how many decimals they have.
func roundNumbers(low, high float64) (all []float64, decimals int) {
	if !(high > low) || math.IsInf(high-low, 1) {
		return nil, 0
	}
	decade := math.Pow(10, math.Floor(math.Log10(high-low))-1)
	step := decade
	for _, m := range []float64{1, 2, 5, 10, 20, 50} {
		if step = m * decade; (high-low)/step <= mostTicks {
			break
		}
	}
	// Adding 0 makes the 0 of negative zero: no tick is "-0".
	for k := math.Ceil(low/step) + 0; k*step <= high*(1+1e-12) && len(all) <= mostTicks+1; k++ {
		all = append(all, k*step)
	}
	return all, int(max(0, -math.Floor(math.Log10(step)+1e-9)))
}

// calendarSteps are of so many seconds, or months.
var calendarSteps = []struct {
	seconds, months int64
	layout          string
}{
	{3600, 0, "15:04"}, {6 * 3600, 0, "2 Jan 15:04"}, {86400, 0, "2006-01-02"}, {2 * 86400, 0, "2006-01-02"}, {7 * 86400, 0, "2006-01-02"},
	{0, 1, "2006-01"}, {0, 3, "2006-01"}, {0, 6, "2006-01"}, {0, 12, "2006"}, {0, 24, "2006"}, {0, 60, "2006"}, {0, 240, "2006"}, {0, 1200, "2006"}, {0, 12000, "2006"},
}

// calendarTicks are dates of seconds since 1970.
func calendarTicks(low, high float64) (ticks []plot.Tick) {
	for _, s := range calendarSteps {
		if (high-low)/(float64(s.seconds)+30.4*86400*float64(s.months)) > mostTicks {
			continue
		}
		from := time.Unix(int64(low), 0).UTC()
		first, months := int64(low)/max(1, s.seconds), (int64(from.Year())*12+int64(from.Month())-1)/max(1, s.months)
		for i := int64(0); ; i++ {
			t := time.Unix((first+i)*s.seconds, 0).UTC()
			if s.months > 0 {
				t = time.Date(0, time.Month((months+i)*s.months+1), 1, 0, 0, 0, 0, time.UTC)
			}
			if at := float64(t.Unix()); at > high {
				return ticks
			} else if at >= low {
				ticks = append(ticks, plot.Tick{Value: at, Label: t.Format(s.layout)})
			}
		}
	}
	return nil
}

// ticker gives the ticks of an axis as it is drawn, without labels that would
// come closer than a space to the one before, or stand out of the figure.
type ticker struct {
	*Axis
	drawn   plot.Axis
	long    vg.Length
	upright bool // the axis is vertical: what counts is how high labels are
}

// tickGap is between two labels of an axis.
const tickGap = vg.Length(6)

// Ticks implements plot.Ticker.
func (t ticker) Ticks(low, high float64) []plot.Tick {
	ticks := t.ticks(low, high)
	end := vg.Length(math.Inf(-1)) // of the label before
	for i := range ticks {
		label := &ticks[i].Label
		if t.Kind == Categories {
			*label = wrapped(*label, t.long/vg.Length(len(ticks))-tickGap)
		}
		at := vg.Length(t.drawn.Scale.Normalize(low, high, ticks[i].Value)) * t.long
		half, gap, room := tickSize/2, vg.Length(0), t.long+tickSize
		if !t.upright {
			half, gap, room = t.drawn.Tick.Label.Width(*label)/2, tickGap, t.long+1.4*edge
		}
		if *label == "" || at-half < end || at+half > room {
			*label = ""
			continue
		}
		end = at + half + gap
	}
	return ticks
}

// breakable is what no line ends in.
var breakable = regexp.MustCompile(`[^-, ]*[-, ]*`)

// wrapped is a name in up to three lines that are no wider than width: broken after a
// hyphen or a comma, and cut if that does not do.
func wrapped(name string, width vg.Length) string {
	var lines []string
	line := ""
	for _, part := range breakable.FindAllString(name, -1) {
		if line != "" && len(lines) < 2 && textWidth(line+part, tickSize) > width {
			lines, line = append(lines, fitting(line, tickSize, width)), ""
		}
		line += part
	}
	return strings.Join(append(lines, fitting(line, tickSize, width)), "\n")
}
