package figure

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// durations are ticks for a log axis of seconds, in the units people think in.
type durations struct{}

// times are the durations that can be ticks; round ones are those of an axis
// that spans days.
var times = []struct {
	seconds float64
	label   string
	round   bool
}{
	{0.001, "1 ms", true}, {0.01, "10 ms", true}, {0.1, "0.1 s", true},
	{1, "1 s", true}, {2, "2 s", false}, {5, "5 s", false}, {10, "10 s", true}, {20, "20 s", false}, {30, "30 s", false},
	{60, "1 min", true}, {120, "2 min", false}, {300, "5 min", false}, {600, "10 min", true}, {1200, "20 min", false}, {1800, "30 min", false},
	{3600, "1 h", true}, {7200, "2 h", false}, {18000, "5 h", false}, {36000, "10 h", true},
	{86400, "1 d", true}, {172800, "2 d", false}, {432000, "5 d", false}, {864000, "10 d", true}, {1728000, "20 d", false}, {4320000, "50 d", false},
	{8640000, "100 d", true}, {86400000, "1000 d", true}, {864e6, "10^4 d", true}, {864e7, "10^5 d", true}, {864e8, "10^6 d", true},
}

// Ticks implements plot.Ticker.
func (durations) Ticks(low, high float64) []plot.Tick {
	var round, all []plot.Tick
	for _, t := range times {
		if t.seconds >= low && t.seconds <= high {
			tick := plot.Tick{Value: t.seconds, Label: t.label}
			all = append(all, tick)
			if t.round {
				round = append(round, tick)
			}
		}
	}
	switch {
	case len(round) >= 4:
		return round
	case len(all) >= 2:
		return all
	}
	return durationsOfOneUnit(low, high)
}

// durationsOfOneUnit are ticks for an axis that spans few times, at round
// numbers of its unit.
func durationsOfOneUnit(low, high float64) []plot.Tick {
	unit, name := 1.0, " s"
	for _, u := range []struct {
		seconds float64
		name    string
	}{{60, " min"}, {3600, " h"}, {86400, " d"}} {
		if low >= 2*u.seconds {
			unit, name = u.seconds, u.name
		}
	}
	ticks := round{}.Ticks(low/unit, high/unit)
	if len(ticks) < 2 {
		return twoTicks(low, high, " s")
	}
	for i := range ticks {
		ticks[i].Value *= unit
		ticks[i].Label += name
	}
	return ticks
}

// twoTicks are the ends of an axis that is too short for a ticker's own.
func twoTicks(low, high float64, unit string) []plot.Tick {
	label := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) + unit }
	return []plot.Tick{{Value: low, Label: label(low)}, {Value: high, Label: label(high)}}
}

// powersOfTwo are ticks for a log axis of processors.
type powersOfTwo struct{}

// Ticks implements plot.Ticker.
func (powersOfTwo) Ticks(low, high float64) []plot.Tick {
	first, last := math.Ceil(math.Log2(max(1, low))), math.Floor(math.Log2(high))
	if !(last >= first) {
		return twoTicks(low, high, "")
	}
	step := max(1, math.Ceil((last-first)/11))
	var ticks []plot.Tick
	for k := step * math.Ceil(first/step); k <= last && len(ticks) < 2*mostTicks; k += step {
		ticks = append(ticks, plot.Tick{Value: math.Exp2(k), Label: strconv.FormatFloat(math.Exp2(k), 'g', 7, 64)})
	}
	return ticks
}

// round are ticks at round numbers of a linear axis: four to eight, in steps
// of 1, 2 or 5 times a power of ten.
type round struct{}

// Ticks implements plot.Ticker.
func (round) Ticks(low, high float64) []plot.Tick {
	if !(high > low) || math.IsInf(high-low, 1) {
		return nil
	}
	decade := math.Pow(10, math.Floor(math.Log10(high-low))-1)
	step := decade
	for _, m := range []float64{1, 2, 5, 10, 20, 50} {
		if step = m * decade; (high-low)/step <= mostTicks {
			break
		}
	}
	decimals := int(max(0, -math.Floor(math.Log10(step)+1e-9)))
	form := byte('f')
	if decimals > 6 || math.Abs(high) >= 1e7 {
		form, decimals = 'g', 6
	}
	var ticks []plot.Tick
	// Adding 0 makes the 0 of negative zero: no tick is "-0".
	for k := math.Ceil(low/step) + 0; k*step <= high*(1+1e-12) && len(ticks) <= mostTicks+1; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: strconv.FormatFloat(k*step, form, decimals, 64)})
	}
	return ticks
}

// percents are ticks for an axis of shares.
type percents struct{}

// Ticks implements plot.Ticker.
func (percents) Ticks(low, high float64) []plot.Tick {
	ticks := round{}.Ticks(100*low, 100*high)
	for i := range ticks {
		ticks[i].Value /= 100
		ticks[i].Label += " %"
	}
	return ticks
}

// spaced are another ticker's ticks, without labels that would come closer than
// a space to the one before: of ticks at equal distances each second, third and
// so on keeps its label.
type spaced struct {
	plot.Ticker
	axis    plot.Axis // whose ranges and scale the labels stand on
	long    vg.Length
	upright bool // the axis is vertical: what counts is how high labels are
}

// tickGap is between two labels of an axis.
const tickGap = vg.Length(6)

// Ticks implements plot.Ticker.
func (s spaced) Ticks(low, high float64) []plot.Tick {
	ticks := s.Ticker.Ticks(low, high)
	var labelled []int
	var at []vg.Length
	for i, t := range ticks {
		if t.Label != "" {
			labelled = append(labelled, i)
			at = append(at, vg.Length(s.axis.Scale.Normalize(low, high, t.Value))*s.long)
		}
	}
	step := 1
	for equallySpaced(at) && step < len(at) && s.crowded(ticks, labelled, at, step) {
		step++
	}
	end := vg.Length(math.Inf(-1)) // of the label before
	for k, i := range labelled {
		half, gap := s.half(ticks[i].Label)
		if k%step != 0 || at[k]-half < end {
			ticks[i].Label = ""
			continue
		}
		end = at[k] + half + gap
	}
	return ticks
}

// half is half of what a label takes of the axis, and gap what is free behind.
func (s spaced) half(label string) (half, gap vg.Length) {
	if s.upright {
		return s.axis.Tick.Label.Font.Size / 2, 0
	}
	return s.axis.Tick.Label.Width(label) / 2, tickGap
}

// crowded says whether of each step-th of the labels two come too close.
func (s spaced) crowded(ticks []plot.Tick, labelled []int, at []vg.Length, step int) bool {
	for k := step; k < len(at); k += step {
		before, gap := s.half(ticks[labelled[k-step]].Label)
		half, _ := s.half(ticks[labelled[k]].Label)
		if at[k]-half < at[k-step]+before+gap {
			return true
		}
	}
	return false
}

// equallySpaced says whether places are at equal distances.
func equallySpaced(at []vg.Length) bool {
	for k := 2; k < len(at); k++ {
		if d, first := at[k]-at[k-1], at[1]-at[0]; math.Abs(float64(d-first)) > 0.01*math.Abs(float64(first)) {
			return false
		}
	}
	return true
}

// hours are ticks for a day that begins at 5:00: an axis of hours from 5 to 29.
type hours struct{}

// Ticks implements plot.Ticker.
func (hours) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for h := dayBegins; h <= dayBegins+24; h++ {
		t := plot.Tick{Value: float64(h)}
		if (h-dayBegins)%3 == 0 {
			t.Label = fmt.Sprintf("%d:00", h%24)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

var (
	_ plot.Ticker = durations{}
	_ plot.Ticker = powersOfTwo{}
	_ plot.Ticker = round{}
	_ plot.Ticker = percents{}
	_ plot.Ticker = spaced{}
	_ plot.Ticker = hours{}
)
