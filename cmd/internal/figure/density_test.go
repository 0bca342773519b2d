package figure

import (
	"math"
	"testing"
)

func TestHistogram(t *testing.T) {
	// Ten jobs, whole seconds from 1 to 16: eight bins whose edges would be
	// powers of the square root of two, moved to 0.5, 1.5, 2.5, 4.5, 5.5, ...
	got, err := histogram(Sample{[]float64{1, 2, 4, 16}, []float64{1, 4, 3, 2}})
	if err != nil {
		t.Fatal(err)
	}
	edges := []float64{0.5, 1.5, 2.5, 4.5, 5.5, 8.5, 11.5, 16.5}
	jobs := []float64{1, 4, 3, 0, 0, 0, 2}
	if len(got) != len(jobs) {
		t.Fatalf("%d bars, want %d: %v", len(got), len(jobs), got)
	}
	for i, b := range got {
		want := jobs[i] / 10 / math.Log(edges[i+1]/edges[i])
		if b.from != edges[i] || b.to != edges[i+1] || b.low != 0 || !agree(b.top, want) {
			t.Errorf("bar %d is %v, want %v to %v, %v high", i, b, edges[i], edges[i+1], want)
		}
	}
}

func TestHistogramOfFractions(t *testing.T) {
	// Values that are not whole: equal widths. A value below one is counted
	// and not drawn, so the bars' area is the share of the others.
	s := Sample{[]float64{0.5, 1, 3.25, 7, 256}, []float64{5, 1, 6, 2, 6}}
	got, err := histogram(s)
	if err != nil {
		t.Fatal(err)
	}
	area := 0.0
	for i, b := range got {
		if width := math.Log(b.to / b.from); math.Abs(width-math.Log(256)/8) > 1e-12 {
			t.Errorf("bar %d is %v wide", i, width)
		}
		area += b.top * math.Log(b.to/b.from)
	}
	if len(got) != 8 || got[0].from != 1 || got[7].to != 256 || !agree(area, 0.75) {
		t.Errorf("%d bars from %v to %v of area %v", len(got), got[0].from, got[7].to, area)
	}
	one, err := histogram(Sample{[]float64{7}, []float64{3}})
	if err != nil || one[0].from != 6.5 || !agree(one[0].top, 1/math.Log(one[0].to/one[0].from)) {
		t.Errorf("one value: %v, %v", one, err)
	}
}
