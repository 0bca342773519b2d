package draw

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// The ticks of an axis other than round numbers.
var (
	Durations plot.Ticker = durations{} // of seconds, in the units people think in
	Doubling  plot.Ticker = doubling{}  // powers of two, such as processors
	Percents  plot.Ticker = percents{}  // of shares from 0 to 1
)

// Names are ticks at 0, 1, 2, ..., one for each name.
type Names []string

// Ticks implements plot.Ticker.
func (n Names) Ticks(float64, float64) []plot.Tick {
	ticks := make([]plot.Tick, len(n))
	for i, name := range n {
		ticks[i] = plot.Tick{Value: float64(i), Label: name}
	}
	return ticks
}

type durations struct{}

// times are the ticks of durations: the plain ones where there are enough of
// them, and all where not.
var times = []struct {
	seconds float64
	label   string
	plain   bool
}{
	{1, "1 s", true}, {2, "2 s", false}, {5, "5 s", false}, {10, "10 s", true}, {30, "30 s", false},
	{60, "1 min", true}, {120, "2 min", false}, {300, "5 min", false}, {600, "10 min", true}, {1800, "30 min", false},
	{3600, "1 h", true}, {7200, "2 h", false}, {18000, "5 h", false}, {36000, "10 h", true},
	{86400, "1 d", true}, {172800, "2 d", false}, {432000, "5 d", false}, {864000, "10 d", true}, {8640000, "100 d", true},
}

// Ticks implements plot.Ticker.
func (durations) Ticks(low, high float64) []plot.Tick {
	var plain, all []plot.Tick
	for _, t := range times {
		if t.seconds < low || t.seconds > high {
			continue
		}
		tick := plot.Tick{Value: t.seconds, Label: t.label}
		all = append(all, tick)
		if t.plain {
			plain = append(plain, tick)
		}
	}
	switch {
	case len(plain) >= 4:
		return plain
	case len(all) >= 2:
		return all
	}
	var ends []plot.Tick
	for _, v := range []float64{low, high} {
		ends = append(ends, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 3, 64) + " s"})
	}
	return ends
}

type doubling struct{}

// Ticks implements plot.Ticker.
func (doubling) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for k := math.Ceil(math.Log2(low)); k <= math.Log2(high); k++ {
		ticks = append(ticks, plot.Tick{Value: math.Exp2(k), Label: strconv.FormatFloat(math.Exp2(k), 'f', -1, 64)})
	}
	return ticks
}

// round are four to eight ticks in steps of 1, 2 or 5 times a power of ten.
type round struct{}

// Ticks implements plot.Ticker.
func (round) Ticks(low, high float64) []plot.Tick {
	if !(high > low) || math.IsInf(high-low, 0) {
		return nil
	}
	decade := math.Pow(10, math.Floor(math.Log10(high-low))-1)
	step := decade
	for _, m := range []float64{1, 2, 5, 10, 20, 50} {
		if step = m * decade; (high-low)/step <= 8 {
			break
		}
	}
	decimals := int(max(0, -math.Floor(math.Log10(step)+1e-9)))
	var ticks []plot.Tick
	for k := math.Ceil(low / step); k*step <= high*(1+1e-12) && len(ticks) < 10; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: strconv.FormatFloat(k*step, 'f', decimals, 64)})
	}
	return ticks
}

// decades are ticks for a log axis: powers of ten, and twice and five times these
// where there are few.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(low, high float64) []plot.Tick {
	steps := []float64{1}
	if high/low < 1000 {
		steps = []float64{1, 2, 5}
	}
	var ticks []plot.Tick
	for k := math.Floor(math.Log10(low)); k <= math.Log10(high) && len(ticks) < 30; k++ {
		for _, step := range steps {
			if v := step * math.Pow(10, k); v >= low && v <= high*(1+1e-12) {
				ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 6, 64)})
			}
		}
	}
	return ticks
}

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
