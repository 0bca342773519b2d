package figure

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

func TestQQRange(t *testing.T) {
	from, to, err := qqRange([]Pairs{{Name: "a", Model: []float64{0, 2, 400, 5000, 1e300}, Log: []float64{1, 10, 100, 200, 300}}, {Name: "b", Model: []float64{0.2}, Log: []float64{math.NaN()}}})
	// The data are from 1 to 300; up to ten times outside of it the laws
	// count: 0.2, and 400 but not 5000.
	if err != nil || !agree(from, 0.2/1.1) || !agree(to, 400*1.1) {
		t.Errorf("%v to %v, %v", from, to, err)
	}
	for _, bad := range [][]Pairs{nil, {{Name: "x", Model: []float64{1}}}, {{Name: "x", Model: []float64{1}, Log: []float64{0}}}} {
		if _, _, err := qqRange(bad); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

func TestPairPoints(t *testing.T) {
	s := newSheet("", "", "", "")
	s.X.Scale, s.Y.Scale = plot.LogScale{}, plot.LogScale{}
	s.X.Min, s.X.Max, s.Y.Min, s.Y.Max = 1, 1000, 1, 1000
	got, off := s.pairPoints(Pairs{
		Model: []float64{0.5, 1, 10, 10.1, 1000, 1000, math.NaN(), 2000, math.Inf(1)},
		Log:   []float64{1, 1, 10, 10.1, 10, 1000, 7, 1000, 1000},
	})
	want := plotter.XYs{{X: 1, Y: 1}, {X: 10, Y: 10}, {X: 1000, Y: 10}, {X: 1000, Y: 1000}}
	if off != 4 || len(got) != len(want) {
		t.Fatalf("%v, %d off", got, off)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("point %d is %v, want %v", i, got[i], want[i])
		}
	}
}

// The closest law, the first, is first in the legend and drawn over the others.
func TestClosestLawOnTop(t *testing.T) {
	var b bytes.Buffer
	same := []float64{1, 10, 100}
	if err := QQ(&b, "svg", "a log", RunTime, []Pairs{{Name: "near", Model: same, Log: same}, {Name: "far", Model: same, Log: same}}); err != nil {
		t.Fatal(err)
	}
	svg := b.String()
	if near, far := strings.Index(svg, ">near<"), strings.Index(svg, ">far<"); near < 0 || far < near {
		t.Errorf("in the legend near is at %d and far at %d", near, far)
	}
	if near, far := strings.LastIndex(svg, "#0072B2"), strings.LastIndex(svg, "#D55E00"); far < 0 || near < far {
		t.Errorf("the first distribution is drawn at %d, the second at %d", near, far)
	}
}
