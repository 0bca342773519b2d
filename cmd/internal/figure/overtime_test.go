package figure

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// The axis ends at 1.6 times the 0.95 quantile, at 1.2 at least where the whole machine
// is drawn, and at the highest value where that is not far beyond.
func TestHistoryTop(t *testing.T) {
	even := func(last float64) []float64 {
		y := make([]float64, 41)
		for i := range y {
			y[i] = 2
		}
		y[40] = last
		return y
	}
	for _, c := range []struct {
		full string
		y    []float64
		want float64
	}{
		{"", even(100), 3.2}, {"", even(3.9), 1.04 * 3.9}, {"", even(4.1), 3.2}, {"", even(1), 1.04 * 2},
		{"", []float64{1, 1, 1, 100}, 104}, // too few to say what is usual
		{"whole", []float64{0.1, 0.2}, 1.04},
		{"whole", append(make([]float64, 40), 9), 1.2},
		{"", append(make([]float64, 40), 9), 1.04 * 9}, // nothing usual to show
	} {
		h := History{Full: c.full, Lines: []HistoryLine{{"", c.y}}}
		if got := h.Top(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %q: the axis ends at %v, want %v", c.y, c.full, got, c.want)
		}
	}
}

// Compact figures are narrow and leave title and source to the page; the rest
// is in them.
func TestCompact(t *testing.T) {
	var full, compact bytes.Buffer
	l := History{Title: "How much work arrives", Axis: "offered load", Edges: []float64{0, 86400, 172800}, Full: "the whole machine",
		Lines: []HistoryLine{{"offered load", []float64{0.5, 1.25}}}}
	for format, b := range map[string]*bytes.Buffer{"svg": &full, Compact: &compact} {
		if err := OverTime(b, format, "the source", l, nil); err != nil {
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
	for _, text := range []string{"offered load", "days since the log began", "the whole machine"} {
		if !strings.Contains(compact.String(), text) {
			t.Errorf("the compact figure lacks %q", text)
		}
	}
}
