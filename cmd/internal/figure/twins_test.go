package figure

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"github.com/loadstone-hpc/loadstone/score"
)

func TestTwinSeries(t *testing.T) {
	nan := math.NaN()
	days := score.Curve{Name: score.LoadByDay, Twins: 2, X: []float64{0, 1, 2}, A: []float64{.5, 2, 0},
		Low: []float64{.1, .2, nan}, Middle: []float64{.3, .4, nan}, High: []float64{.6, .7, nan}}
	d, err := twinSeries(days, true)
	if err != nil || d.from != 0 || d.to != 3 || d.top != 2 {
		t.Fatalf("%v: from %g to %g, top %g, want 0, 3 and 2", err, d.from, d.to, d.top)
	}
	// A step for each day; the twins end with the second.
	same(t, "log", d.log, plotter.XYs{{X: 0, Y: .5}, {X: 1, Y: .5}, {X: 1, Y: 2}, {X: 2, Y: 2}, {X: 2, Y: 0}, {X: 3, Y: 0}})
	var low, high plotter.XYs
	for i, x := range d.area.x {
		low, high = append(low, plotter.XY{X: x, Y: d.area.low[i]}), append(high, plotter.XY{X: x, Y: d.area.high[i]})
	}
	same(t, "low", low, plotter.XYs{{X: 0, Y: .1}, {X: 1, Y: .1}, {X: 1, Y: .2}, {X: 2, Y: .2}})
	same(t, "high", high, plotter.XYs{{X: 0, Y: .6}, {X: 1, Y: .6}, {X: 1, Y: .7}, {X: 2, Y: .7}})

	// Over a log axis points behind the last change are left out.
	waits := score.Curve{Name: score.WaitsUpTo, Twins: 2, X: []float64{1, 10, 100, 1000, 10000}, A: []float64{.5, .7, 1, 1, 1},
		Low: []float64{.4, .6, .9, 1, 1}, Middle: []float64{.4, .6, .9, 1, 1}, High: []float64{.4, .6, .9, 1, 1}}
	if d, err = twinSeries(waits, false); err != nil || len(d.log) != 4 || d.to != 1000 {
		t.Errorf("%v: %v, want the points up to 1000", err, d.log)
	}
	for _, none := range []score.Curve{{Name: score.LoadByDay}, {Name: score.LoadByDay, X: []float64{0}, A: []float64{0}, Low: []float64{0}, Middle: []float64{0}, High: []float64{0}}} {
		if _, err := twinSeries(none, true); err == nil || !strings.Contains(err.Error(), "nothing to draw") {
			t.Errorf("%+v: %v", none, err)
		}
	}
}

// The legend of one twin is a line, that of several a band and a line.
func TestTwinLegend(t *testing.T) {
	c := score.Curve{Name: score.LoadByDay, X: []float64{0, 1}, A: []float64{.5, 1}, Low: []float64{.1, .2}, Middle: []float64{.3, .4}, High: []float64{.6, .7}}
	for twins, want := range map[int][2]string{1: {"its twin", "5 to 95"}, 20: {"5 to 95 % of 20 twins", "its twin"}} {
		c.Twins = twins
		var b bytes.Buffer
		if err := Twins(&b, "svg", "a log", "kth.swf", c); err != nil {
			t.Fatal(err)
		}
		if s := b.String(); !strings.Contains(s, want[0]) || strings.Contains(s, want[1]) || !strings.Contains(s, "kth.swf") {
			t.Errorf("%d twins: the legend lacks %q or kth.swf, or has %q", twins, want[0], want[1])
		}
	}
	if err := Twins(&bytes.Buffer{}, "svg", "a log", "kth.swf", score.Curve{Name: "odd"}); err == nil {
		t.Error("an unknown curve is drawn")
	}
}

func same(t *testing.T, what string, got, want plotter.XYs) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: point %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}
