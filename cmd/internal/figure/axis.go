package figure

import (
	"math"
	"regexp"
	"slices"
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

// smallest (on a log axis) and largest bound the numbers that are drawn. They leave a margin
// to the limits of float64 for the ends of an axis.
const smallest, largest = 1e-300, 1e300

// has reports whether v can be drawn on an axis of the kind.
func (k AxisKind) has(v float64) bool {
	return math.Abs(v) <= largest && (!k.isLog() || v >= smallest)
}

// place returns the position of a number on gonum/plot's axis, which is linear: the number, or its
// logarithm if the kind is logarithmic. Numbers far outside the axis, such as the pole of a
// density, are moved closer to it, so that no coordinate overflows. The result is NaN for a number
// that cannot be drawn.
func (k AxisKind) place(a *plot.Axis, v float64) float64 {
	if !k.has(v) {
		return math.NaN()
	}
	if k.isLog() {
		v = math.Log(v)
	}
	beyond := a.Max - a.Min
	return max(a.Min-beyond, min(a.Max+beyond, v))
}

// ends returns the ends of the axis: Min and Max if they are set, or else the range s of its
// series. If they coincide, high is increased.
func (a *Axis) ends(s span) (low, high float64) {
	low, high = s.low, s.high
	if a.Max > a.Min && a.Kind.has(a.Min) {
		low, high = a.Min, a.Max
	}
	switch {
	case high-low > smallest+1e-12*math.Abs(low):
	case a.Kind.isLog():
		high = 2 * low
	default:
		high = low + max(1, math.Abs(low))
	}
	return low, high
}

// mostTicks is the number of ticks that fit on an axis.
const mostTicks = 8

// unit is a unit in which the numbers of an axis are written.
type unit struct {
	size float64
	name string
}

var timeUnits = []unit{{1e-3, " ms"}, {1, " s"}, {60, " min"}, {3600, " h"}, {86400, " d"}}

// timeUnit returns the largest unit of time of which v, in seconds, has at least count, or the
// smallest unit if there is none.
func timeUnit(v, count float64) unit {
	u := timeUnits[0]
	for _, t := range timeUnits {
		if v >= count*t.size {
			u = t
		}
	}
	return u
}

// Candidate ticks of logarithmic axes of time, in seconds. allTimes is for axes with fewer
// than four of coarseTimes.
var (
	coarseTimes = []float64{1e-3, 1e-2, 0.1, 1, 10, 60, 600, 3600, 36000, 86400, 864e3, 864e4, 864e5, 864e6, 864e7, 864e8}
	allTimes    = []float64{1e-3, 1e-2, 0.1, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18000, 36000,
		86400, 2 * 86400, 5 * 86400, 864e3, 2 * 864e3, 5 * 864e3, 864e4, 864e5, 864e6, 864e7, 864e8}
)

// ticks returns the ticks of an axis from low to high: at round numbers of its
// kind, or at its ends if there are fewer than two of them.
func (a *Axis) ticks(low, high float64) (all []plot.Tick) {
	var at []float64
	label := func(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }
	switch a.Kind {
	case Categories:
		for i, name := range a.Names {
			all = append(all, plot.Tick{Value: float64(i) + 0.5, Label: name})
		}
		return all
	case Clock:
		return calendarTicks(low, high)
	case Hours:
		for h := dayBegins; h <= dayBegins+24; h += 3 {
			all = append(all, plot.Tick{Value: float64(h), Label: strconv.Itoa(h%24) + ":00"})
		}
		return all
	case Duration:
		if at = within(low, high, coarseTimes); len(at) < 4 {
			at = within(low, high, allTimes)
		}
		label = func(v float64) string {
			u := timeUnit(v, 1)
			return strconv.FormatFloat(v/u.size, 'g', 6, 64) + u.name
		}
	case Processors:
		at = powers(2, max(1, low), high)
	case Logarithm:
		at = powers(10, low, high)
	}
	if len(at) < 2 {
		at, label = a.Kind.evenTicks(low, high)
	}
	for _, v := range at {
		all = append(all, plot.Tick{Value: v, Label: label(v)})
	}
	return all
}

// evenTicks returns four to eight ticks in steps of 1, 2 or 5 times a power of ten, or the ends if
// fewer than two fit, and the function that writes them.
func (k AxisKind) evenTicks(low, high float64) (at []float64, label func(float64) string) {
	u := unit{1, ""}
	switch {
	case k == Share:
		u = unit{0.01, " %"}
	case k == Seconds:
		u = timeUnit(max(2, high), 2)
	case k == Duration:
		u = timeUnit(max(2, low), 2)
	}
	from, to := low/u.size, high/u.size
	step := math.Pow(10, math.Floor(math.Log10(to-from))-1)
	for _, factor := range []float64{2, 2.5, 2, 2, 2.5, 2} { // 2, 5, 10 and so on times the first step
		if (to-from)/step > mostTicks {
			step *= factor
		}
	}
	form, decimals := byte('f'), int(max(0, -math.Floor(math.Log10(step)+1e-9)))
	for n := math.Ceil(from / step); n*step <= to*(1+1e-12) && len(at) <= mostTicks+1; n++ {
		at = append(at, (n*step+0)*u.size) // 0, not -0
	}
	if len(at) < 2 {
		at, decimals = []float64{low, high}, 7
	}
	if decimals > 6 || math.Abs(to) >= 1e7 {
		form, decimals = 'g', 6
	}
	return at, func(v float64) string { return strconv.FormatFloat(v/u.size, form, decimals, 64) + u.name }
}

// within returns the values from low to high, with a tolerance for rounding at high.
func within(low, high float64, all []float64) (inside []float64) {
	for _, v := range all {
		if v >= low && v <= high+1e-12*math.Abs(high) {
			inside = append(inside, v)
		}
	}
	return inside
}

// powers returns the powers of base from low to high; if there are many, only those whose
// exponents are multiples of 2, 3 and so on.
func powers(base, low, high float64) (all []float64) {
	first, last := math.Ceil(math.Log(low)/math.Log(base)-1e-9), math.Floor(math.Log(high)/math.Log(base)+1e-9)
	step := max(1, math.Ceil((last-first)/11))
	for k := step * math.Ceil(first/step); k <= last; k += step {
		all = append(all, math.Pow(base, k))
	}
	return all
}

// calendarSteps are the possible steps between dates, with the layout of the dates.
var calendarSteps = []struct {
	hours, months int
	layout        string
}{
	{1, 0, "15:04"}, {6, 0, "2 Jan 15:04"}, {24, 0, "2006-01-02"}, {48, 0, "2006-01-02"}, {168, 0, "2006-01-02"},
	{0, 1, "2006-01"}, {0, 3, "2006-01"}, {0, 12, "2006"}, {0, 60, "2006"}, {0, 1200, "2006"}, {0, 12000, "2006"},
}

// calendarTicks returns ticks at round dates from low to high, in seconds since 1970.
func calendarTicks(low, high float64) (ticks []plot.Tick) {
	from := time.Unix(int64(low), 0).UTC()
	for _, s := range calendarSteps {
		step := time.Duration(s.hours) * time.Hour
		if (high-low)/(step.Seconds()+30.4*86400*float64(s.months)) > mostTicks {
			continue
		}
		t := time.Date(from.Year()/100*100, 1, 1, 0, 0, 0, 0, time.UTC)
		if step > 0 {
			t = from.Truncate(step)
		}
		for ; float64(t.Unix()) <= high; t = t.Add(step).AddDate(0, s.months, 0) {
			if at := float64(t.Unix()); at >= low {
				ticks = append(ticks, plot.Tick{Value: at, Label: t.Format(s.layout)})
			}
		}
		return ticks
	}
	return nil
}

// tickGap is the least space between two labels of an axis.
const tickGap = vg.Length(6)

// labelled returns the ticks of the axis as it is drawn, over a length of long. It removes labels
// closer than tickGap to the previous label (on a vertical axis, labels that overlap it) and labels
// that would extend beyond the figure.
func (a *Axis) labelled(drawn *plot.Axis, long vg.Length, vertical bool) plot.ConstantTicks {
	low, high := drawn.Min, drawn.Max
	if a.Kind.isLog() {
		low, high = math.Exp(low), math.Exp(high)
	}
	ticks := slices.DeleteFunc(a.ticks(low, high), func(t plot.Tick) bool { return !a.Kind.has(t.Value) })
	end := vg.Length(math.Inf(-1)) // of the previous label
	for i := range ticks {
		t := &ticks[i]
		if a.Kind == Categories {
			t.Label = wrapped(t.Label, tickSize, long/vg.Length(len(ticks))-tickGap)
		}
		t.Value = a.Kind.place(drawn, t.Value)
		at := vg.Length(drawn.Norm(t.Value)) * long
		half, gap, room := tickSize/2, vg.Length(0), long+tickSize
		if !vertical {
			half, gap, room = drawn.Tick.Label.Width(t.Label)/2, tickGap, long+1.4*edge
		}
		if at-half < end || at+half > room {
			t.Label = ""
			continue
		}
		end = at + half + gap
	}
	return ticks
}

// breakable matches a part of a text after which a line can be broken.
var breakable = regexp.MustCompile(`[^-, ]*[-, ]*`)

// wrapped returns a text broken into up to three lines that are no wider than width. Lines
// end after a hyphen, a comma or a blank; longer ones are cut.
func wrapped(text string, size, width vg.Length) string {
	var lines []string
	line := ""
	for _, part := range breakable.FindAllString(text, -1) {
		if line != "" && len(lines) < 2 && textWidth(line+part, size) > width {
			lines, line = append(lines, fitting(line, size, width)), ""
		}
		line += part
	}
	return strings.Join(append(lines, fitting(line, size, width)), "\n")
}
