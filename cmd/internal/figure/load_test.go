package figure

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func TestLoadSeries(t *testing.T) {
	nan := math.NaN()
	points, top := Loads{Start: 100, Width: 50, Load: []float64{0.5, nan, 1.25}}.series()
	if top != 1.25 || len(points) != 6 {
		t.Fatalf("%v, top %v", points, top)
	}
	for i, want := range [][2]float64{{100, 0.5}, {150, 0.5}, {150, nan}, {200, nan}, {200, 1.25}, {250, 1.25}} {
		if p := points[i]; p.X != want[0] || p.Y != want[1] && !(math.IsNaN(p.Y) && math.IsNaN(want[1])) {
			t.Errorf("point %d: %v, want %v", i, p, want)
		}
	}
	var b bytes.Buffer
	if err := OfferedLoad(&b, "svg", "a log", Loads{0, 86400, []float64{0.5, 1.25}}, nil); err != nil || !strings.Contains(b.String(), "as much as the machine can do") {
		t.Errorf("%v: a load above 1 without the line of the full machine", err)
	}
	b.Reset()
	if err := OfferedLoad(&b, "svg", "a log", Loads{0, 86400, []float64{0.5}}, nil); err != nil || strings.Contains(b.String(), "as much as") {
		t.Errorf("%v: a line above all loads", err)
	}
	for _, none := range []Loads{{}, {0, 1, []float64{nan}}, {0, 1, []float64{0}}, {0, 1, []float64{math.Inf(1)}}} {
		if err := OfferedLoad(&b, "svg", "x", none, nil); err == nil {
			t.Errorf("%v: no error", none)
		}
	}
}

// Compact figures are narrow and leave title and source to the page; the rest
// is in them.
func TestCompact(t *testing.T) {
	var full, compact bytes.Buffer
	l := Loads{0, 86400, []float64{0.5, 1.25}}
	for format, b := range map[string]*bytes.Buffer{"svg": &full, Compact: &compact} {
		if err := OfferedLoad(b, format, "the source", l, nil); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(full.String(), `width="504pt"`) || !strings.Contains(compact.String(), `width="324pt"`) {
		t.Errorf("widths: %.150s and %.150s", full.String(), compact.String())
	}
	for _, text := range []string{"the source", "How much work arrives"} {
		if !strings.Contains(full.String(), text) || strings.Contains(compact.String(), text) {
			t.Errorf("%q belongs to the full figure alone", text)
		}
	}
	for _, text := range []string{"offered load", "days since the log began", "as much as the machine can do"} {
		if !strings.Contains(compact.String(), text) {
			t.Errorf("the compact figure lacks %q", text)
		}
	}
}

func TestPoints(t *testing.T) {
	s := Sample{[]float64{1, 10, 100}, []float64{1, 1, 2}}
	law := Law{Name: "half", CDF: func(float64) float64 { return 0.5 }}
	points, err := DistributionPoints(s, []Law{law})
	if err != nil || len(points) != 2 || points[0].Name != "the log" || points[1].Name != "half" {
		t.Fatalf("%v, %v", points, err)
	}
	want, _ := distributionSeries(s, []Law{law})
	for k, c := range want {
		for i, p := range c.points {
			if points[k].X[i] != p.X || points[k].Y[i] != p.Y {
				t.Fatalf("%s: point %d is %v, %v, want %v", c.name, i, points[k].X[i], points[k].Y[i], p)
			}
		}
	}
	b, err := Histogram(s)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i := range b.From {
		sum += b.Share[i]
		if i > 0 && b.From[i] != b.To[i-1] {
			t.Errorf("bar %d begins at %v, that before ends at %v", i, b.From[i], b.To[i-1])
		}
	}
	if math.Abs(sum-1) > 1e-12 || math.Abs(b.Share[len(b.Share)-1]-0.5) > 1e-12 {
		t.Errorf("shares %v, want 1 in all and half in the last", b.Share)
	}
	if _, err := DistributionPoints(Sample{}, nil); err == nil {
		t.Error("points of nothing")
	}
	if _, err := Histogram(Sample{}); err == nil {
		t.Error("a histogram of nothing")
	}
}
