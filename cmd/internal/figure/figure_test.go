package figure

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

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
