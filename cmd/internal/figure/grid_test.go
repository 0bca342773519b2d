package figure

import (
	"bytes"
	"strings"
	"testing"
)

func TestGridFiguresDraw(t *testing.T) {
	one := Shares{"ect<last2>", []float64{0, 1, 10, 1000}, []float64{0.8, 0.81, 0.9, 1}}
	none := Shares{"lb", []float64{0, 1}, []float64{0.9, 1}}
	jobs := []ClusterJobs{{"ect<last2>", []float64{0.25, 0.75}}, {"lb", []float64{0.5, 0.5}}}
	for _, c := range []struct {
		want []string
		draw func(*bytes.Buffer) error
	}{
		{[]string{"wait no longer", "100 %", "80 %", "1 min"}, func(b *bytes.Buffer) error { return GridShares(b, "svg", "a log", GridWait, []Shares{one, none}) }},
		{[]string{"take no longer"}, func(b *bytes.Buffer) error { return GridShares(b, "svg", "a log", GridResponse, []Shares{one}) }},
		{[]string{"bounded slowdown", ">10<", ">1000<"}, func(b *bytes.Buffer) error { return GridShares(b, "svg", "a log", GridSlowdown, []Shares{one}) }},
		{[]string{"share of jobs", "FS0 (85)", ">60 %<"}, func(b *bytes.Buffer) error {
			return GridClusters(b, "svg", "a log", []string{"FS0 (85)", "FS1 (32)"}, jobs)
		}},
	} {
		var b bytes.Buffer
		if err := c.draw(&b); err != nil {
			t.Error(err)
		}
		for _, want := range append(c.want, "a log", "ect&lt;last2&gt;", "</svg>") {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%v: no %q", c.want, want)
			}
		}
	}
}
