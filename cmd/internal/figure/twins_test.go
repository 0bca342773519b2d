package figure

import (
	"bytes"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/score"
)

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
