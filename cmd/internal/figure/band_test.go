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
	main := sweep.Measure{Name: "wait_mean_s", Meaning: "mean wait", Drawn: true}
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

// A study of several machines at one load, or at the log's own, is drawn against processors, in
// their order; one that varies neither has a picture that says so.
func TestOfSweepAgainstProcessors(t *testing.T) {
	wait := sweep.Measure{Name: "wait_mean_s", Meaning: "mean wait", Drawn: true}
	for _, load := range []float64{math.NaN(), .9} {
		s := &sweep.Summary{}
		for _, n := range []int64{128, 100, 154} {
			s.Groups = append(s.Groups, sweep.Group{Parameters: sweep.Parameters{Log: "made", Load: stats.Number(load), Processors: n, Policy: "easy", Estimates: "user"},
				Measure: wait, Name: wait.Name, Interval: sweep.Interval{Seeds: 3, Mean: stats.Number(1e6 / n), Low: stats.Number(9e5 / n), High: stats.Number(2e6 / n)}})
		}
		all := OfSweep(s)
		if len(all) != 1 || all[0].Name != "sweep-made-wait_mean_s-user" {
			t.Fatalf("load %v: %+v", load, all)
		}
		var b bytes.Buffer
		if err := all[0].Draw(&b, "svg"); err != nil {
			t.Fatalf("load %v: %v", load, err)
		}
		for _, want := range []string{">processors<", "Mean wait at different sizes of the machine", ">easy<"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("load %v: no %q", load, want)
			}
		}
		if has := strings.Contains(b.String(), "made, load 0.9, 3 seeds"); has == math.IsNaN(load) {
			t.Errorf("load %v: the load is told: %t", load, has)
		}
		sorted := &sweep.Summary{Groups: []sweep.Group{s.Groups[1], s.Groups[0], s.Groups[2]}}
		var again bytes.Buffer
		if err := OfSweep(sorted)[0].Draw(&again, "svg"); err != nil || again.String() != b.String() {
			t.Errorf("load %v: another picture for processors in another order, %v", load, err)
		}
		one := OfSweep(&sweep.Summary{Groups: s.Groups[:1]})
		if err := one[0].Draw(new(bytes.Buffer), "svg"); len(one) != 1 || err == nil || !strings.Contains(err.Error(), "several loads or on machines of several sizes") {
			t.Errorf("load %v: one machine: %d pictures, %v", load, len(one), err)
		}
	}
}
