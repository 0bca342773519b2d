package figure

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func TestRunTimeSeries(t *testing.T) {
	// Ten jobs: two of no length, three of 1 s, four of 100 s, one of 10,000 s.
	values, counts := []float64{0.5, 1, 100, 10000}, []float64{2, 3, 4, 1}
	all, err := distributionSeries(Sample{values, counts}, []Law{{Name: "half", CDF: func(float64) float64 { return 0.5 }}, {Name: "log", CDF: func(s float64) float64 { return math.Log10(s) / 4 }}})
	if err != nil || len(all) != 3 || all[0].name != "the log" || all[1].name != "half" {
		t.Fatalf("series %v, %v", all, err)
	}
	for _, s := range all {
		if len(s.points) != curvePoints || s.points[0].X != 1 || s.points[curvePoints-1].X != 10000 {
			t.Errorf("%s: %d points from %v to %v", s.name, len(s.points), s.points[0].X, s.points[len(s.points)-1].X)
		}
	}
	for i, p := range all[0].points {
		want := 0.5
		if p.X >= 100 {
			want = 0.9
		}
		if p.X == 10000 {
			want = 1
		}
		if p.Y != want {
			t.Fatalf("point %d: share at %v s is %v, want %v", i, p.X, p.Y, want)
		}
	}
	// Points are equally spaced on the log axis: no chords.
	for i, p := range all[2].points {
		if want := float64(i) / (curvePoints - 1); math.Abs(p.Y-want) > 1e-12 {
			t.Fatalf("point %d at %v s: %v, want %v", i, p.X, p.Y, want)
		}
	}
}

func TestRunTimesDrawsAndEscapes(t *testing.T) {
	var b bytes.Buffer
	law := Law{Name: "<script>", CDF: func(s float64) float64 { return 1 - math.Exp(-s/100) }}
	if err := Distribution(&b, "svg", "a & b", RunTime, Sample{[]float64{1, 50, 3600}, []float64{1, 1, 1}}, []Law{law}); err != nil {
		t.Fatal(err)
	}
	svg := b.String()
	for _, want := range []string{"</svg>", "How long jobs run", "a &amp; b", "&lt;script&gt;", "1 min", "1 h"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	if strings.Contains(svg, "<script>") {
		t.Error("a name is not escaped")
	}
	b.Reset()
	if err := Distribution(&b, "png", "x", RunTime, Sample{[]float64{7}, []float64{3}}, nil); err != nil || !strings.HasPrefix(b.String(), "\x89PNG") {
		t.Errorf("one value: %v", err)
	}
	if err := Distribution(&b, "svg", "x", RunTime, Sample{[]float64{0.1}, []float64{3}}, nil); err == nil {
		t.Error("no error where there is nothing to draw")
	}
	if err := Distribution(&b, "bmp", "x", RunTime, Sample{[]float64{7}, []float64{3}}, nil); err == nil {
		t.Error("no error for an unknown format")
	}
}

func TestDurationTicks(t *testing.T) {
	var labels []string
	for _, tick := range (durations{}).Ticks(2, 4000) {
		labels = append(labels, tick.Label)
	}
	if got := strings.Join(labels, ","); got != "10 s,1 min,10 min,1 h" {
		t.Errorf("ticks %s", got)
	}
}
