package figure

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/study/sweep"
)

// A band goes along the lower ends and back along the upper ones, above the axis, and leaves
// out what has no interval.
func TestBandByHand(t *testing.T) {
	nan := math.NaN()
	got := bandOf(Trend{Path: Path{X: []float64{1, 2, 3}, Y: []float64{5, 6, 7}}, Low: []float64{-4, nan, 6}, High: []float64{7, nan, 9}}, 2)
	want := plotter.XYs{{X: 1, Y: 2}, {X: 3, Y: 6}, {X: 3, Y: 9}, {X: 1, Y: 7}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("point %d is %v, want %v", i, got[i], want[i])
		}
	}
	if one := bandOf(Trend{Path: Path{X: []float64{1}, Y: []float64{1}}, Low: []float64{0}, High: []float64{2}}, 0); one != nil {
		t.Errorf("one interval has the band %v", one)
	}
}

// Studies have pictures by policy for each kind of estimates, and by estimates for each policy;
// what cannot be drawn is an error.
func TestOfSweep(t *testing.T) {
	main := sweep.Measure{Name: "wait_mean_s", Meaning: "mean wait", Main: true}
	s := &sweep.Summary{}
	add := func(load, mean float64, policy, estimates string) {
		s.Groups = append(s.Groups, sweep.Group{Parameters: sweep.Parameters{Log: "a <log>", Load: stats.Number(load), Policy: policy, Estimates: estimates},
			Measure: main, Name: main.Name, Interval: sweep.Interval{Seeds: 2, Mean: stats.Number(mean), Low: stats.Number(mean / 2), High: stats.Number(2 * mean)}})
	}
	for _, load := range []float64{.5, .9} {
		add(load, 5000*load, "fcfs", "")
		for _, e := range []string{"user", "last2"} {
			add(load, 100*load, "easy", e)
		}
	}
	all := OfSweep(s)
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
		var b bytes.Buffer
		if err := p.Draw(&b, "svg"); err != nil || !strings.Contains(b.String(), "a &lt;log&gt;, 2 seeds") || !strings.Contains(b.String(), "<path") {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if want := "sweep-a--log--wait_mean_s-user sweep-a--log--wait_mean_s-last2 sweep-a--log--wait_mean_s-easy"; strings.Join(names, " ") != want {
		t.Errorf("got %v, want %s", names, want)
	}
	for _, bad := range []*sweep.Summary{{}, {Groups: s.Groups[:3]}} {
		for _, p := range OfSweep(bad) {
			if err := p.Draw(new(bytes.Buffer), "svg"); err == nil {
				t.Errorf("%s is drawn of %d groups", p.Name, len(bad.Groups))
			}
		}
	}
}
