package draw

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The frame of a log axis is the place where a wrong curve would not be seen:
// the middle of a decade has to stand in the middle.
func TestLogAxis(t *testing.T) {
	f := Figure{
		X:      Axis{Log: true, Ticks: Durations},
		Y:      Axis{Log: true},
		Series: []Series{{X: []float64{1, 100, 10000}, Y: []float64{1, 10, 100}}},
	}
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`d="M([0-9.]+),([0-9.]+)L([0-9.]+),([0-9.]+)L([0-9.]+),([0-9.]+)" style="fill:none;stroke:#0072B2`).FindStringSubmatch(svg)
	if line == nil {
		t.Fatalf("no line of three points in %s", svg)
	}
	x := numbersIn(t, strings.Join(line[1:], " "))
	for k := range 2 {
		if middle := (x[k] + x[k+4]) / 2; math.Abs(x[k+2]-middle) > 0.01 {
			t.Errorf("coordinate %d: the middle of the decades is at %g, want %g", k, x[k+2], middle)
		}
	}
}

func TestSeriesBreakWhereThereIsNoNumber(t *testing.T) {
	f := Figure{Y: Axis{Log: true}}
	s := Series{X: []float64{0, 1, 2, 3, 4, 5}, Y: []float64{1, 2, math.NaN(), 4, 0, 6}}
	runs := f.runs(s)
	if len(runs) != 3 || len(runs[0]) != 2 || runs[1][0].X != 3 || runs[2][0].X != 5 {
		t.Errorf("saw %v, want the stretches 0-1, 3 and 5", runs)
	}
}

func TestWhatCannotBeDrawn(t *testing.T) {
	for name, f := range map[string]Figure{
		"no series":    {},
		"no number":    {Series: []Series{{X: []float64{math.NaN()}, Y: []float64{1}}}},
		"odd lengths":  {Series: []Series{{X: []float64{1, 2}, Y: []float64{1}}}},
		"not positive": {X: Axis{Log: true}, Series: []Series{{X: []float64{0, -1}, Y: []float64{1, 2}}}},
	} {
		if _, err := f.SVG(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// One point has no range, and all the same is drawn.
func TestOnePoint(t *testing.T) {
	for _, log := range []bool{false, true} {
		f := Figure{X: Axis{Log: log, Ticks: Doubling}, Y: Axis{Log: log}, Series: []Series{{Name: "one", Kind: Marked, X: []float64{8}, Y: []float64{8}}}}
		if !log {
			f.X.Ticks = nil
		}
		svg, err := f.SVG()
		if err != nil || strings.Contains(svg, "NaN") || !strings.Contains(svg, ">one<") {
			t.Errorf("log %v: error %v, svg %s", log, err, svg)
		}
	}
}

func TestNamelessSeriesGoesWithTheOneBefore(t *testing.T) {
	x := []float64{0, 1}
	f := Figure{Series: []Series{{Name: "a", X: x, Y: x}, {Name: "interval", X: x, Y: []float64{1, 2}}, {X: x, Y: []float64{2, 3}}, {Name: "b", X: x, Y: []float64{3, 4}}}}
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	// Each line and its entry in the legend.
	for colour, want := range map[string]int{"#0072B2": 2, "#D55E00": 3, "#009E73": 2} {
		if got := strings.Count(svg, "stroke:"+colour); got != want {
			t.Errorf("%s: drawn %d times, want %d", colour, got, want)
		}
	}
}

func TestTicks(t *testing.T) {
	labels := func(f Axis, low, high float64) string {
		var all []string
		for _, tick := range f.Ticks.Ticks(low, high) {
			all = append(all, tick.Label)
		}
		return strings.Join(all, ", ")
	}
	for _, c := range []struct {
		axis      Axis
		low, high float64
		want      string
	}{
		{Axis{Ticks: Durations}, 1, 7200, "1 s, 10 s, 1 min, 10 min, 1 h"},
		{Axis{Ticks: Durations}, 3600, 86400, "1 h, 2 h, 5 h, 10 h, 1 d"},
		{Axis{Ticks: Durations}, 61, 100, "61 s, 100 s"},
		{Axis{Ticks: Doubling}, 1, 20, "1, 2, 4, 8, 16"},
		{Axis{Ticks: Percents}, 0, 1, "0 %, 20 %, 40 %, 60 %, 80 %, 100 %"},
		{Axis{Ticks: round{}}, 0.25, 0.75, "0.3, 0.4, 0.5, 0.6, 0.7"},
		{Axis{Ticks: decades{}}, 100, 10000, "100, 200, 500, 1000, 2000, 5000, 10000"},
		{Axis{Ticks: decades{}}, 0.5, 5e4, "1, 10, 100, 1000, 10000"},
		{Axis{Ticks: Names{"a", "b"}}, 0, 1, "a, b"},
	} {
		if got := labels(c.axis, c.low, c.high); got != c.want {
			t.Errorf("%T from %g to %g: %s, want %s", c.axis.Ticks, c.low, c.high, got, c.want)
		}
	}
}

func numbersIn(t *testing.T, s string) []float64 {
	t.Helper()
	var all []float64
	for _, word := range strings.Fields(s) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	return all
}
